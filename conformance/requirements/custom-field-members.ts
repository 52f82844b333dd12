/** Section 2.5: the members of a custom field are stored as they were given. */

import { isPaged, mentions, projectLists, recordsWith, valueAt } from '../client/look.js'
import type { OperationId } from '../contract/index.js'
import { fieldChoices, fieldSeries, fieldTexts, possible } from '../suite/field-series.js'
import { createField, listFields, updateField } from '../suite/fields.js'
import { judgeLinks, projectMember } from '../suite/links.js'
import { group } from '../suite/requirement.js'
import { judgeMember } from '../suite/series.js'
import type { Check } from '../suite/types.js'

const common = { rank: 10, level: 'must', section: '2.5', safety: 'write' } as const

const operations = [
  'createCustomField',
  'updateCustomField',
  'getCustomFieldUpdatePage',
  'listCustomFields',
] as const

export const customFieldMembers = group(common, [
  ...[...fieldTexts, ...fieldChoices].map((member) => ({
    id: `custom-fields.${member.replace('_', '-')}`,
    statement: `\`${member}\` of a field is the one that was given last, to a creation or to an update, and every read that shows it shows that.`,
    operations,
    each: true as const,
    async check(t: Check, operation: OperationId) {
      const series = await fieldSeries(t)
      const lacking = series.lacking[member]
      if (lacking) t.skip(lacking)
      judgeMember(t, series, member, operation)
      if (member !== 'default_value' || operation !== 'updateCustomField') return
      for (const { state, shown } of series.changes) {
        const listed = shown.listCustomFields
        const text = String(state.default_value)
        const holders = listed ? recordsWith(listed.answer.json, text) : []
        const isOther = (record: object) => 'name' in record && !Object.values(record).includes(state.name)
        if (listed)
          t.verify(
            !holders.some(isOther),
            'another field has the default value too',
            listed.answer,
            operation,
          )
      }
    },
  })),

  {
    id: 'custom-fields.members-accepted',
    statement:
      'Creation and update accept the display flags in either direction, and a list of projects beside the definition.',
    operations: ['createCustomField', 'updateCustomField'],
    each: true,
    async check(t, operation) {
      const { asked } = await fieldSeries(t)
      const plain = ['name', 'display_report', 'display_update']
      const own = asked.filter(({ answer, differs }) => answer.operation === operation && differs)
      for (const { answer, members } of own) {
        const names = Object.keys(members).filter((name) => !name.startsWith('project '))
        // Of what type a field is that has possible values, or a text for its default, is not shown.
        if (answer.status === 200) t.pass()
        else if (names.every((name) => plain.includes(name)))
          t.expect(answer, 200, `${operation} with ${Object.keys(members).join(', ')}`)
      }
    },
  },

  {
    id: 'custom-fields.all-possible-values',
    statement: 'Where a page shows any of the possible values that a field was given, it shows them all.',
    operations: ['createCustomField', 'updateCustomField'],
    each: true,
    async check(t, operation) {
      const { creations, changes, lacking } = await fieldSeries(t)
      if (lacking.possible_values) t.skip(lacking.possible_values)
      for (const { state, shown } of operation === 'createCustomField' ? creations : changes) {
        const page = shown.getCustomFieldUpdatePage
        const list = possible.find((one) => one === state.possible_values)?.split('|')
        if (page === undefined || list === undefined) continue
        const count = list.filter((one) => mentions(page.json, one)).length
        // A type that has none drops them all.
        const message = `of ${list.length} possible values ${count} are shown`
        t.verify(count === 0 || count === list.length, message, page.answer, operation)
      }
    },
  },

  {
    id: 'custom-fields.projects',
    statement:
      'A field created with projects is linked to them and to no other, where answers show the projects of fields; created without, it is linked to none.',
    operations: ['createCustomField'],
    async check(t) {
      const projects = t.need('projects').slice(0, 2)
      const { creations, changes } = await fieldSeries(t)
      judgeLinks(t, creations, projects, { else: changes })
    },
  },

  {
    id: 'custom-fields.projects-shown',
    level: 'should',
    statement:
      'Where the record of a field has a list of projects, it is empty for one that was created without any, and for no other.',
    operations: ['createCustomField'],
    async check(t, operation) {
      const projects = t.need('projects')
      const { creations } = await fieldSeries(t)
      for (const { state, shown } of creations) {
        const listed = shown.listCustomFields
        if (listed === undefined) continue
        const given = projects.filter((id) => state[projectMember(id)] === true)
        const lists = projectLists(listed.json)
        for (const [pointer, ids] of given.length > 0 ? [] : lists) {
          const extra = projects.find((id) => ids.has(id))
          t.verify(
            extra === undefined,
            `a field that was created without projects has ${extra} at ${pointer}`,
            listed.answer,
            operation,
          )
        }
        for (const [pointer] of given.length > 0 ? lists : []) {
          if (!/\/(projects|project_ids)$/i.test(pointer)) continue
          const isEmpty = (valueAt(listed.json, pointer) as readonly unknown[]).length === 0
          const message = `a field that was created with projects has none at ${pointer}`
          t.verify(!isEmpty, message, listed.answer, operation)
        }
      }
    },
  },

  {
    id: 'custom-fields.name-limit',
    statement:
      "The tracker's limit on the length of a name is enforced: a name of that length is accepted, a longer one is refused or cut.",
    operations: ['createCustomField', 'updateCustomField'],
    each: true,
    async check(t, operation) {
      const limit = t.need('customField.nameLimit')
      t.need('customField.type')
      const atLimit = t.run.own.name().padEnd(limit, 'x').slice(0, limit)
      const field = operation === 'updateCustomField' ? await t.run.own.field() : null
      if (field && field.name === null) t.skip('no field of its own can be found in answers')
      const ask = async (name: string) => {
        const body = t.run.own.fieldBody({ name })
        return field ? updateField(t, field.id, body) : (await createField(t, body)).answer
      }
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
        const isWhole = mentions(listed.json, tooLong)
        t.verify(!isWhole, `a name longer than ${limit} characters was stored`, answer)
        // Cut, it still begins as it did.
        const isBegun = mentions(listed.json, begin)
        if (answer.status === 400) {
          t.verify(!isBegun, 'the longer name was refused, and the list shows the beginning of it', answer)
          continue
        }
        const isLost = !isBegun && mentions(listed.json, atLimit) && !isPaged(listed.json)
        t.verify(!isLost, 'the longer name was answered 200, and the list shows nothing of it', answer)
        t.verify(!mentions(answer.json, tooLong), 'the answer shows the longer name', answer)
      }
    },
  },
])
