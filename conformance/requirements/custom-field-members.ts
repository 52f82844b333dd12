/** Section 2.5: the members of a custom field are stored as they were given. */
import { createField, deleteField, listFields } from '../suite/fields.js'
import { requirement } from '../suite/requirement.js'
import type { Answer } from '../target/call.js'
import {
  flagIn,
  idOf,
  isObject,
  isPaged,
  isReadable,
  mentions,
  pointersTo,
  projectLists,
  recordsWith,
  valueAt,
} from '../target/look.js'

export const customFieldMembers = [
  requirement({
    id: 'custom-fields.create-page-fields',
    level: 'must',
    section: '2.5',
    statement: 'Creation accepts the display flags, and a list of projects beside the definition.',
    operations: ['createCustomField'],
    safety: 'write',
    async check(t) {
      t.need('customField.type')
      const flags = { display_report: true, display_update: false }
      const flagged = await createField(t, t.run.own.fieldBody(flags))
      t.expect(flagged.answer, 200, 'a creation with display_report and display_update')
      if (!t.profile.projects?.length) return
      const linked = await createField(t, { ...t.run.own.fieldBody(), projects: t.profile.projects } as never)
      t.expect(linked.answer, 200, 'a creation with existing projects')
    },
  }),

  requirement({
    id: 'custom-fields.members',
    level: 'must',
    section: '2.5',
    statement:
      'The default value and the display flags of a field are those that were given last, where the update page shows them.',
    operations: ['createCustomField', 'updateCustomField'],
    safety: 'write',
    async check(t) {
      const type = t.need('customField.type')
      // A text is surely a legal default value of one type alone.
      const defaults = type === 'string' ? [t.run.own.name(), t.run.own.name()] : [undefined, undefined]
      const [first, second] = [true, false].map((flag, index) => ({
        ...t.run.own.fieldBody({
          default_value: defaults[index],
          display_report: flag,
          display_update: !flag,
        }).custom_field,
      }))
      if (first === undefined || second === undefined) return
      const { answer, field } = await createField(t, { custom_field: first })
      if (!t.expect(answer, 200, 'a creation with default value and display flags') || field === null) return
      const path = { field_id: field.id }
      const page = async () => await t.send({ operation: 'getCustomFieldUpdatePage', path })
      const created = await page()
      const update = { custom_field: second }
      const updated = await t.send({ operation: 'updateCustomField', path, body: update })
      if (!t.expect(updated, 200, 'an update of default value and display flags')) return
      t.run.own.fieldRenamed(field, second.name)
      const after = await page()
      for (const flag of ['display_report', 'display_update'] as const)
        for (const [shown, wanted, culprit] of [
          [created, first[flag], 'createCustomField'],
          [after, second[flag], 'updateCustomField'],
        ] as const) {
          const seen = flagIn(shown.json, flag)
          t.verify(
            seen === null || seen === wanted,
            `${flag} was given as ${wanted} and is shown as ${seen}`,
            shown,
            culprit,
          )
        }
      if (defaults[0] === undefined || defaults[1] === undefined) return
      const listed = await listFields(t)
      const others = recordsWith(listed.json, defaults[1]).map((record) => idOf(record, 'field'))
      t.verify(
        others.every((id) => id === null || id === field.id),
        'the default value that one field was given is that of another one',
        listed,
        'updateCustomField',
      )
      const [before, now] = [mentions(created.json, defaults[0]), mentions(after.json, defaults[1])]
      t.verify(
        !now || before,
        'the default value given at creation is not shown, though an updated one is',
        created,
        'createCustomField',
      )
      t.verify(
        !before || now,
        'the default value was updated with 200 and still shows its old value',
        after,
        'updateCustomField',
      )
    },
  }),

  requirement({
    id: 'custom-fields.possible-values',
    level: 'must',
    section: '2.5',
    statement:
      'The possible values of a field are those that were given last, where the update page shows them.',
    operations: ['createCustomField', 'updateCustomField'],
    safety: 'write',
    async check(t) {
      t.need('customField.type')
      const [first, second] = [
        ['Kit one', 'Kit two', 'Kit three'],
        ['Kit four', 'Kit five', 'Kit six'],
      ] as const
      const bodyOf = (list: readonly string[]) => t.run.own.fieldBody({ possible_values: list.join('|') })
      const { answer, field } = await createField(t, bodyOf(first))
      // Of what type a field is that has possible values is not shown.
      if (answer.status !== 200 || field === null)
        return t.skip('the type of the profile takes no possible values')
      const path = { field_id: field.id }
      const page = () => t.send({ operation: 'getCustomFieldUpdatePage', path })
      const created = await page()
      const body = bodyOf(second)
      const updated = await t.send({ operation: 'updateCustomField', path, body })
      if (updated.status !== 200) return t.skip('the type of the profile takes no possible values')
      t.run.own.fieldRenamed(field, body.custom_field.name)
      const after = await page()
      const shows = (shown: Answer, list: readonly string[]) => list.every((one) => mentions(shown.json, one))
      for (const [shown, list, culprit] of [
        [created, first, 'createCustomField'],
        [after, second, 'updateCustomField'],
      ] as const) {
        const count = list.filter((one) => mentions(shown.json, one)).length
        // A type that has none drops them all.
        const message = `of ${list.length} possible values ${count} are shown`
        t.verify(count === 0 || count === list.length, message, shown, culprit)
      }
      const lost = shows(after, second) && !shows(created, first)
      t.verify(
        !lost,
        'possible values given at creation are not all shown, though updated ones are',
        created,
        'createCustomField',
      )
      const kept = shows(created, first) && !shows(after, second)
      t.verify(
        !kept,
        'possible values were updated with 200 and are not all shown',
        after,
        'updateCustomField',
      )
    },
  }),

  requirement({
    id: 'custom-fields.projects',
    level: 'must',
    section: '2.5',
    statement:
      'A field created with projects is linked to them, where the list shows the projects of fields; created without, it is linked to none.',
    operations: ['createCustomField'],
    safety: 'write',
    async check(t, operation) {
      t.need('customField.type')
      const projects = t.need('projects')
      const linked = t.run.own.fieldBody()
      const bare = t.run.own.fieldBody()
      const created = await createField(t, { ...linked, projects } as never)
      t.expect(created.answer, 200, 'a creation with existing projects')
      const plain = await createField(t, bare)
      t.expect(plain.answer, 200, 'a creation without projects')
      const listed = await listFields(t)
      // A list may have a field once for each of its projects.
      const listOf = (name: string) => {
        const all = new Map<string, Set<string>>()
        for (const record of recordsWith(listed.json, name))
          for (const [pointer, ids] of projectLists(record))
            all.set(pointer, new Set([...(all.get(pointer) ?? []), ...ids]))
        return all
      }
      // A list that has something in it for any field is one of links.
      const isUsed = (pointer: string) =>
        pointersTo(listed.json, isObject).some(
          (at) => (projectLists(valueAt(listed.json, at)).get(pointer)?.size ?? 0) > 0,
        )
      for (const [pointer, ids] of listOf(linked.custom_field.name)) {
        const missing = projects.filter((id) => !ids.has(id))
        t.verify(
          !isUsed(pointer) || !isReadable(ids, projects) || missing.length === 0,
          `the field was created with the project ${missing[0]}, and ${pointer} of the list lacks it`,
          listed,
          operation,
        )
      }
      for (const [pointer, ids] of listOf(bare.custom_field.name)) {
        const extra = projects.filter((id) => ids.has(id))
        t.verify(
          extra.length === 0,
          `the field was created without projects, and ${pointer} of the list has ${extra[0]}`,
          listed,
          operation,
        )
      }
      const [first, ...rest] = projects
      if (first === undefined || rest.length === 0) return
      for (const { field } of [created, plain]) await deleteField(t, field)
      const single = t.run.own.fieldBody()
      const { answer } = await createField(t, { ...single, projects: [first] } as never)
      t.expect(answer, 200, 'a creation with one existing project')
      const after = await listFields(t)
      for (const record of recordsWith(after.json, single.custom_field.name))
        for (const [pointer, ids] of projectLists(record)) {
          const extra = rest.find((id) => ids.has(id))
          t.verify(
            extra === undefined,
            `the field was created with the project ${first} alone, and ${pointer} of the list has ${extra} too`,
            after,
            operation,
          )
        }
    },
  }),

  requirement({
    id: 'custom-fields.name-limit',
    level: 'must',
    section: '2.5',
    statement:
      "The tracker's limit on the length of a name is enforced: a name of that length is accepted, a longer one is refused or cut.",
    operations: ['createCustomField', 'updateCustomField'],
    safety: 'write',
    each: true,
    async check(t, operation) {
      const limit = t.need('customField.nameLimit')
      t.need('customField.type')
      const atLimit = t.run.own.name().padEnd(limit, 'x').slice(0, limit)
      const bodyOf = (name: string) => t.run.own.fieldBody({ name })
      const field = operation === 'updateCustomField' ? await t.run.own.field() : null
      if (field && field.name === null) t.skip('no field of its own can be found in answers')
      const ask = (name: string) =>
        field
          ? t.send({ operation, path: { field_id: field.id }, body: bodyOf(name) })
          : createField(t, bodyOf(name)).then(({ answer }) => answer)
      if (t.expect(await ask(atLimit), 200, `a name of ${limit} characters`) && field)
        t.run.own.fieldRenamed(field, atLimit)
      // Far beyond it a name may meet another limit.
      for (const [length, letter] of [
        [limit + 1, 'y'],
        [limit + 500, 'y'],
        [limit + 1, 'é'],
      ] as const) {
        const begin = t.run.own.name()
        const tooLong = begin.padEnd(length, letter)
        const answer = await ask(tooLong)
        if (!t.expect(answer, [400, 200], `a name of ${length} characters`)) continue
        t.observe('cf-name-over-limit', operation, answer.status === 400 ? 'refused' : 'truncated')
        const listed = await listFields(t)
        t.verify(
          !mentions(listed.json, tooLong),
          `a name longer than ${limit} characters was stored`,
          answer,
          operation,
        )
        // Cut, it still begins as it did.
        t.verify(
          answer.status === 200 || !mentions(listed.json, begin),
          'the longer name was refused, and the list shows the beginning of it',
          answer,
          operation,
        )
        const shows = mentions(listed.json, atLimit) && !isPaged(listed.json)
        t.verify(
          answer.status === 400 || !shows || mentions(listed.json, begin),
          'the longer name was answered 200, and the list shows nothing of it',
          answer,
          operation,
        )
        t.verify(
          !mentions(answer.json, tooLong) || answer.status === 400,
          'the answer shows the longer name',
          answer,
          operation,
        )
      }
    },
  }),
]
