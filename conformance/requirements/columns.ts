/** Sections 2.7 and 4.2: the columns of issue lists, and of what they are that are read and saved. */

import type { Answer } from '../client/call.js'
import { columnLists, hasList, isObject, knownColumnLists, pointersTo, valueAt } from '../client/look.js'
import { missing } from '../suite/existing.js'
import { group } from '../suite/requirement.js'
import { type ColumnsInUse, keepingColumns } from '../suite/shared.js'
import type { Check } from '../suite/types.js'

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Whether an answer that has columns by their identifiers has this list of them; null where it has none. */
function isShown({ status, json }: Answer, list: readonly string[]): boolean | null {
  if (status !== 200 || knownColumnLists(json, list).length === 0) return null
  return hasList(json, list)
}

/** The project of the profile's body with another id in its place, in the form that it has there; or null. */
function withId(project: unknown, id: string): unknown {
  const isWhole = /^\d+$/.test(id)
  if (typeof project === 'number') return isWhole ? Number(id) : null
  if (typeof project === 'string') return isWhole === /^\d+$/.test(project) ? id : null
  if (!isObject(project)) return null
  const inner = withId(project.id, id)
  return inner === null || Object.keys(project).length > 1 ? null : { id: inner }
}

const without = (list: readonly string[], one: string | undefined) => list.filter((other) => other !== one)

const idIn = (project: unknown) => String(isObject(project) ? project.id : project)

const common = { rank: 240, level: 'must', operations: ['manageColumns'], safety: 'destructive' } as const

export const columns = group(common, [
  {
    id: 'columns.save-and-read',
    rank: 50,
    section: '2.7',
    statement:
      'Columns are saved with 200, in their order, and where a later read shows columns it shows these.',
    check: (t, operation) =>
      keepingColumns(t, async ({ columns, turned, save, read }) => {
        const leading = new Set<string | undefined>()
        for (const order of columns.length > 1 ? [turned, columns] : [columns]) {
          const saved = await save(order)
          // Which order they must have is not shown; the profile speaks of its own.
          if (saved.status === 400 && order !== columns) continue
          if (!t.expect(saved, 200, 'saving columns')) return
          const shown = await read()
          if (shown.status === 200)
            t.observe('columns-answer', operation, Array.isArray(shown.json) ? 'list-only' : 'full')
          const [list] = knownColumnLists(shown.json, columns)
          const message = `saved ${JSON.stringify(order)}, and a read shows ${JSON.stringify(list)}`
          // One that must be there may have its place in front of those that were given.
          const isLed = order.length > 2 && isEqual(list?.slice(1), without(order, list?.[0]))
          leading.add(isLed ? list?.[0] : undefined)
          t.verify(isShown(shown, order) !== false || (isLed && leading.size === 1), message, shown)
        }
      }),
  },

  {
    id: 'columns.default-type',
    rank: 50,
    section: '2.7',
    statement: 'The type of a column configuration is `view` when it is not given.',
    async check(t) {
      if ((t.need('columns').type ?? 'view') !== 'view') t.skip('the profile has no columns of the type view')
      await keepingColumns(t, async ({ columns, save, read }) => {
        const saved = await save(columns, { type: undefined })
        if (!t.expect(saved, 200, 'saving columns without a type')) return
        const shown = await read({ type: 'view' })
        const message = 'columns saved without a type are not those of the type view'
        t.verify(isShown(shown, columns) !== false, message, shown)
      })
    },
  },

  {
    id: 'columns.per-user',
    rank: 50,
    section: '4.2',
    statement: "The columns are the caller's: saving them leaves another user's as they were.",
    async check(t) {
      t.need('tokens.restricted')
      const restricted = { as: 'restricted' } as const
      await keepingColumns(t, async ({ columns, turned, save, read }) => {
        // Twice: an answer may have those that were shown the time before as well.
        await read(restricted)
        const before = knownColumnLists((await read(restricted)).json, columns)
        if ((await save(turned)).status !== 200) t.expect(await save(columns), 200, 'saving columns')
        const after = await read(restricted)
        const kept = before.length === 0 || isEqual(knownColumnLists(after.json, columns), before)
        t.verify(kept, 'saving columns changed those of another user', after)
        // Where they stand by labels they cannot be put back.
        const [theirs] = before.filter((list) => list.some((column) => columns.includes(column)))
        if (theirs === undefined) return
        // The other way round, and back at once.
        await read()
        const mine = knownColumnLists((await read()).json, columns)
        if ((await save(columns, restricted)).status !== 200) return
        const shown = await read()
        await save(theirs, restricted)
        const message = "another user's saving of columns changed the administrator's"
        t.verify(isEqual(knownColumnLists(shown.json, columns), mine), message, shown)
      })
    },
  },

  {
    id: 'columns.unknown-project',
    level: 'should',
    section: '7',
    // To some trackers what has no columns saves none, so it is a change.
    statement: 'The columns of a project that there is not are answered 404, or 400 as an invalid request.',
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
    check: (t) =>
      keepingColumns(t, async ({ columns, turned, reference, save, read }) => {
        const type = String(reference.type ?? 'view')
        const other = columns.length > 1 ? await otherType(t, type, read) : null
        if (other === null) return t.skip('no other type of columns is known to the tracker')
        const shown = async () => columnLists((await read({ type: other })).json)
        // That they are two lists shows where they differ.
        const set = await save(turned, { type: other })
        if (set.status !== 200) return
        const before = await shown()
        await save(columns, { type })
        // Which is the type of a request without one.
        if (type === 'view') await save(columns, { type: undefined })
        const kept = before.length === 0 || isEqual(await shown(), before)
        t.verify(kept, `saving the columns of the type ${type} changed those of the type ${other}`, set)
      }),
  },

  {
    id: 'columns.per-project',
    section: '4.2',
    statement:
      'Columns are those of a project: where reads show that two projects have their own, saving for one leaves those of the other as they were.',
    async check(t, operation) {
      const { project } = t.need('columns')
      const others = t.need('projects').filter((id) => id !== idIn(project))
      const [another] = others.map((id) => withId(project, id)).filter((one) => one !== null)
      if (another === undefined)
        t.skip('the profile has no second project, in the form in which columns name one')
      await keepingColumns(t, async ({ columns, turned, save, read }) => {
        if (columns.length < 2) return t.skip('the profile has one column only')
        // Twice: an answer may have those that were shown the time before as well.
        const shown = async (of: unknown) => {
          await read({ project: of })
          return read({ project: of })
        }
        const changed: { mine: unknown; saved: Answer; isOne: boolean }[] = []
        // Each is given columns of its own before the other is saved: one without may take over those of another.
        for (const [mine, theirs] of [
          [project, another],
          [another, project],
        ]) {
          const first = await save(turned, { project: theirs })
          if (first.status !== 200 || !isShown(await shown(theirs), turned))
            return t.skip('reads do not show the columns that were saved for each of two projects')
          const saved = await save(columns, { project: mine })
          if (saved.status !== 200) return t.skip(`saving columns is answered ${saved.status}`)
          const after = await shown(theirs)
          if (!isShown(after, turned)) changed.push({ mine, saved, isOne: isShown(after, columns) === true })
        }
        // Whether a caller has one list for all projects is not shown.
        const isOneList = changed.length === 2 && changed.every(({ isOne }) => isOne)
        t.observe('columns-scope', operation, isOneList ? 'caller' : 'caller-and-project')
        if (isOneList) return t.skip('the caller has one list for all projects')
        for (const { mine, saved } of changed) {
          const message = `saving the columns of the project ${idIn(mine)} changed those of another one`
          t.verify(false, message, saved)
        }
        t.pass()
      })
    },
  },

  {
    id: 'columns.shorter',
    section: '2.7',
    statement:
      'A column that is left out of the list that is saved is gone from it, where a read shows columns.',
    check: (t) =>
      keepingColumns(t, async ({ columns, turned, save, read }) => {
        if (columns.length < 2) return t.skip('the profile has one column only')
        const kept = async (list: readonly string[]) => ((await save(list)).status === 200 ? read() : null)
        const [first, plain] = [await kept(turned), await kept(columns)]
        // Where both were shown; a list of all that could be chosen may be the same as one of them.
        const places = pointersTo(plain?.json, (list) => isEqual(list, columns)).filter((at) =>
          isEqual(valueAt(first?.json, at), turned),
        )
        let stays: { column: string; answer: Answer } | null = null
        for (const column of places.length === 0 ? [] : columns) {
          const answer = await kept(columns.filter((one) => one !== column))
          if (answer?.status !== 200) continue
          const lists = places.map((at) => valueAt(answer.json, at))
          // Some column may stand in every list, so it is enough that one can be left out.
          if (!lists.every((list) => Array.isArray(list) && list.includes(column))) return t.pass()
          stays = { column, answer }
        }
        if (stays === null) return t.skip('reads do not show the columns that were saved')
        const message = `the column ${stays.column} is still shown after a list without it was saved`
        t.verify(false, message, stays.answer)
      }),
  },
])

/** A type that is accepted where a made-up one is refused, so that it is not taken for the default one. */
async function otherType(t: Check, own: string, read: ColumnsInUse['read']): Promise<string | null> {
  if ((await read({ type: `${t.run.tag}type` })).status === 200) return null
  for (const type of ['print', 'csv']) if (type !== own && (await read({ type })).status === 200) return type
  return null
}
