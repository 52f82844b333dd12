/** Section 2.7: of what the columns are that are read and saved. */

import { missing } from '../suite/existing.js'
import { ranked } from '../suite/requirement.js'
import { keepingColumns } from '../suite/shared.js'
import type { Check } from '../suite/types.js'
import type { Answer } from '../target/call.js'
import { columnLists, hasList, isObject, knownColumnLists, pointersTo, valueAt } from '../target/look.js'

/** The project of the profile's body with another id in its place, in the form that it has there; or null. */
function withId(project: unknown, id: string): unknown {
  const isWhole = /^\d+$/.test(id)
  if (typeof project === 'number') return isWhole ? Number(id) : null
  if (typeof project === 'string') return isWhole === /^\d+$/.test(project) ? id : null
  if (!isObject(project)) return null
  const inner = withId(project.id, id)
  return inner === null || Object.keys(project).length > 1 ? null : { id: inner }
}

const idIn = (project: unknown) => String(isObject(project) ? project.id : project)

export const columnConfigurations = ranked(240, [
  {
    id: 'columns.unknown-project',
    level: 'should',
    section: '7',
    statement: 'The columns of a project that there is not are answered 404, or 400 as an invalid request.',
    operations: ['manageColumns'],
    // To some trackers what has no columns saves none.
    safety: 'destructive',
    async check(t, operation) {
      const { columns: _, project, ...reference } = t.need('columns')
      const unknown = withId(project, String(missing.id(t)))
      if (unknown === null) return t.skip('the columns of the profile do not name a project by its id alone')
      const body = { ...reference, project: unknown }
      const answer = await t.send({ operation, body })
      // One that may not be seen is refused likewise.
      t.expect(answer, [404, 400, 403], 'the columns of a project that is not there')
    },
  },

  {
    id: 'columns.per-type',
    level: 'should',
    section: '2.7',
    statement: 'Each type has its columns: saving those of one leaves those of another as they were.',
    operations: ['manageColumns'],
    safety: 'destructive',
    async check(t, operation) {
      const { type = 'view' } = t.need('columns')
      const shown = async (body: object) => columnLists((await t.send({ operation, body })).json)
      const keep = async (other: string) =>
        keepingColumns(
          t,
          async (columns, reference) => {
            const mine = { ...reference, type }
            const order = columns.toReversed()
            // That they are two lists shows where they differ.
            const set = await t.send({ operation, body: { ...reference, columns: order } })
            if (set.status !== 200) return
            const before = await shown(reference)
            await t.send({ operation, body: { ...mine, columns } })
            // Which is the type of a request without one.
            const { type: _, ...untyped } = mine
            if (type === 'view') await t.send({ operation, body: { ...untyped, columns } })
            const after = await shown(reference)
            t.verify(
              before.length === 0 || JSON.stringify(after) === JSON.stringify(before),
              `saving the columns of the type ${type} changed those of the type ${other}`,
              set,
            )
          },
          { type: other },
        )
      await keepingColumns(t, async (columns, reference) => {
        const other = columns.length > 1 ? await otherType(t, reference) : null
        if (other === null) return t.skip('no other type of columns is known to the tracker')
        await keep(other)
      })
    },
  },

  {
    id: 'columns.per-project',
    level: 'must',
    section: '4.2',
    statement:
      'Columns are those of a project: where reads show that two projects have their own, saving for one leaves those of the other as they were.',
    operations: ['manageColumns'],
    safety: 'destructive',
    async check(t, operation) {
      const { project } = t.need('columns')
      const others = t.need('projects').filter((id) => id !== idIn(project))
      const [another] = others.map((id) => withId(project, id)).filter((one) => one !== null)
      if (another === undefined)
        t.skip('the profile has no second project, in the form in which columns name one')
      await keepingColumns(t, async (columns, reference) => {
        const turned = columns.toReversed()
        if (columns.length < 2) return t.skip('the profile has one column only')
        const save = (of: unknown, list: readonly string[]) =>
          t.send({ operation, body: { ...reference, project: of, columns: list } })
        // Twice: an answer may have those that were shown the time before as well.
        const shown = async (of: unknown) => {
          await t.send({ operation, body: { ...reference, project: of } })
          return t.send({ operation, body: { ...reference, project: of } })
        }
        const changed: { mine: unknown; saved: Answer; isOne: boolean }[] = []
        // Each is given columns of its own before the other is saved: one without may take over those of another.
        for (const [mine, theirs] of [
          [project, another],
          [another, project],
        ]) {
          const first = await save(theirs, turned)
          const before = await shown(theirs)
          if (first.status !== 200 || !isShown(before, turned, columns))
            return t.skip('reads do not show the columns that were saved for each of two projects')
          const saved = await save(mine, columns)
          if (saved.status !== 200) return t.skip(`saving columns is answered ${saved.status}`)
          const after = await shown(theirs)
          if (!isShown(after, turned, columns))
            changed.push({ mine, saved, isOne: isShown(after, columns, columns) })
        }
        // Whether a caller has one list for all projects is not shown.
        const isOneList = changed.length === 2 && changed.every(({ isOne }) => isOne)
        t.observe('columns-scope', operation, isOneList ? 'caller' : 'caller-and-project')
        if (isOneList) return t.skip('the caller has one list for all projects')
        for (const { mine, saved } of changed)
          t.verify(
            false,
            `saving the columns of the project ${idIn(mine)} changed those of another one`,
            saved,
          )
        t.pass()
      })
    },
  },

  {
    id: 'columns.shorter',
    level: 'must',
    section: '2.7',
    statement:
      'A column that is left out of the list that is saved is gone from it, where a read shows columns.',
    operations: ['manageColumns'],
    safety: 'destructive',
    async check(t, operation) {
      await keepingColumns(t, async (columns, reference) => {
        if (columns.length < 2) return t.skip('the profile has one column only')
        const kept = async (list: readonly string[]) => {
          const saved = await t.send({ operation, body: { ...reference, columns: list } })
          return saved.status === 200 ? t.send({ operation, body: reference }) : null
        }
        const [turned, plain] = [await kept(columns.toReversed()), await kept(columns)]
        // Where both were shown; a list of all that could be chosen may be the same as one of them.
        const places = pointersTo(plain?.json, (list) => isSame(list, columns)).filter((at) =>
          isSame(valueAt(turned?.json, at), columns.toReversed()),
        )
        let stays: { column: string; answer: Answer } | null = null
        for (const column of places.length === 0 ? [] : columns) {
          const answer = await kept(columns.filter((one) => one !== column))
          const lists = places.map((at) => valueAt(answer?.json, at))
          // Some column may stand in every list, so it is enough that one can be left out.
          if (answer?.status === 200 && !lists.every((list) => Array.isArray(list) && list.includes(column)))
            return t.pass()
          if (answer?.status === 200) stays = { column, answer }
        }
        if (stays === null) return t.skip('reads do not show the columns that were saved')
        t.verify(
          false,
          `the column ${stays.column} is still shown after a list without it was saved`,
          stays.answer,
        )
      })
    },
  },
])

/** A type that is accepted where a made-up one is refused, so that it is not taken for the default one. */
async function otherType(t: Check, reference: { readonly type?: unknown }): Promise<string | null> {
  const read = async (type: string) =>
    (await t.send({ operation: 'manageColumns', body: { ...reference, type } })).status
  if ((await read(`${t.run.tag}type`)) === 200) return null
  for (const type of ['print', 'csv']) if (type !== reference.type && (await read(type)) === 200) return type
  return null
}

/** Whether an answer with columns by their identifiers has this list of them. */
const isShown = (answer: Answer, list: readonly string[], identifiers: readonly string[]) =>
  answer.status === 200 && knownColumnLists(answer.json, identifiers).length > 0 && hasList(answer.json, list)

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
