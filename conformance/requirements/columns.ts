/** Section 2.7: of what the columns are that are read and saved. */
import type { Check } from '../suite/check.js'
import { missing } from '../suite/existing.js'
import { requirement } from '../suite/requirement.js'
import { keepingColumns } from '../suite/shared.js'
import { columnLists, isObject } from '../target/look.js'

/** The project of the profile's body with an id that no project has, in the form that it has there; or null. */
function unknownProject(project: unknown, none: number): unknown {
  if (typeof project === 'number') return none
  if (typeof project === 'string') return /^\d+$/.test(project) ? String(none) : null
  if (!isObject(project)) return null
  const id = unknownProject(project.id, none)
  return id === null || Object.keys(project).length > 1 ? null : { id }
}

export const columnConfigurations = [
  requirement({
    id: 'columns.unknown-project',
    level: 'should',
    section: '7',
    statement: 'The columns of a project that there is not are answered 404, or 400 as an invalid request.',
    operations: ['manageColumns'],
    safety: 'read',
    async check(t, operation) {
      const { columns: _, project, ...reference } = t.need('columns')
      const unknown = unknownProject(project, missing.id(t))
      if (unknown === null) return t.skip('the columns of the profile do not name a project by its id alone')
      const body = { ...reference, project: unknown }
      const answer = await t.send({ operation, body })
      // One that may not be seen is refused likewise.
      t.expect(answer, [404, 400, 403], 'the columns of a project that is not there')
    },
  }),

  requirement({
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
  }),
]

/** A type that is accepted where a made-up one is refused, so that it is not taken for the default one. */
async function otherType(t: Check, reference: { readonly type?: unknown }): Promise<string | null> {
  const read = async (type: string) =>
    (await t.send({ operation: 'manageColumns', body: { ...reference, type } })).status
  if ((await read(`${t.run.tag}type`)) === 200) return null
  for (const type of ['print', 'csv']) if (type !== reference.type && (await read(type)) === 200) return type
  return null
}
