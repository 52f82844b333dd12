import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { Table, type Write } from './table.js'

const schema = z.object({ id: z.int(), name: z.string(), team: z.string() })
type Row = z.infer<typeof schema>

function tableOf(before: (write: Write<Row>) => void = () => undefined) {
  const indexes = {
    id: ({ id }: Row) => id,
    name: ({ name }: Row) => name.toLowerCase(),
    team: ({ team }: Row) => (team === '' ? null : team),
  }
  return new Table({ schema, indexes, fill: () => ({}), before })
}

const names = fc.constantFrom('a', 'A', 'b', 'c')
const teams = fc.constantFrom('', 'red', 'blue')
const place = fc.nat({ max: 9 })

const kinds = <K extends string>(...given: K[]) => ({ kind: fc.constantFrom(...given) })

/** What may be done, to the table and to a plain list. */
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ ...kinds('create'), name: names, team: teams }) },
    { weight: 3, arbitrary: fc.record({ ...kinds('change'), place, name: names, team: teams }) },
    fc.record({ ...kinds('update'), place, team: teams }),
    fc.record({ ...kinds('remove', 'delete'), place }),
    fc.record({ ...kinds('updateMany', 'deleteMany'), team: teams }),
    fc.record(kinds('put', 'clear', 'begin')),
  ),
  { maxLength: 30 },
)

test('whatever is written, keys find what a search from the start would find', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      let done: Write<Row>[] = []
      const table = tableOf((write) => done.push(write))
      let list: Row[] = []
      let begun: Row[] = []
      const saved = table.image()
      let id = 0
      for (const step of all) {
        if ('place' in step && list.length === 0) continue
        const index = 'place' in step ? step.place % list.length : -1
        const [record, old] = [table.rows[index], list[index]] as [Row, Row]
        if (step.kind === 'create') {
          id += 1
          const row = { id, name: step.name, team: step.team }
          await table.create(row)
          list.push(row)
        } else if (step.kind === 'change') {
          await table.change(record, { name: step.name, team: step.team })
          list[index] = { ...old, name: step.name, team: step.team }
        } else if (step.kind === 'update') {
          await table.update((query) => query.where({ id: record.id }), {
            data: (row) => void Object.assign(row, { team: step.team }),
          })
          list[index] = { ...old, team: step.team }
        } else if (step.kind === 'remove' || step.kind === 'delete') {
          if (step.kind === 'remove') table.remove(record)
          else table.delete((query) => query.where({ id: record.id }))
          list.splice(index, 1)
        } else if (step.kind === 'updateMany') {
          await table.updateMany((query) => query.where({ team: step.team }), {
            data: (row) => void Object.assign(row, { name: 'c' }),
          })
          list = list.map((row) => (row.team === step.team ? { ...row, name: 'c' } : row))
        } else if (step.kind === 'deleteMany') {
          table.deleteMany((query) => query.where({ team: step.team }))
          list = list.filter((row) => row.team !== step.team)
        } else if (step.kind === 'begin') {
          done = []
          begun = [...list]
        } else {
          if (step.kind === 'put') table.put(saved)
          else table.clear()
          list = []
        }
        expect(table.rows).toEqual(list)
        expect(table.without(done)).toEqual(begun)
        for (const row of list) expect(table.find('id', row.id)).toEqual(row)
        for (const name of ['a', 'b', 'c']) {
          const meant = list.filter((row) => row.name.toLowerCase() === name)
          // Those that came to a key later stand behind, whatever their place.
          const found = table.having('name', name)
          expect(found).toHaveLength(meant.length)
          expect(found).toEqual(expect.arrayContaining(meant))
        }
        for (const team of ['red', 'blue'])
          expect(table.having('team', team)).toHaveLength(list.filter((row) => row.team === team).length)
        expect(table.find('team', '')).toBeUndefined()
      }
    }),
  )
})

test('a place is found after many removals', async () => {
  const table = tableOf()
  for (let id = 1; id <= 2500; id++) await table.create({ id, name: `name ${id}`, team: '' })
  for (let id = 1; id <= 2400; id++) table.remove(table.find('id', id) as Row)
  await table.change(table.find('id', 2450) as Row, { name: 'found' })
  expect(table.rows.filter(({ name }) => name === 'found')).toMatchObject([{ id: 2450 }])
})

test('hooks hear of what is changed and removed, and may prevent a removal', async () => {
  const table = tableOf()
  const heard: unknown[] = []
  table.hooks.on('update', ({ data }) => void heard.push(data.nextValue))
  table.hooks.on('delete', (event) => {
    heard.push(event.data.deletedRecord.id)
    if (event.data.deletedRecord.id === 2) event.preventDefault()
  })
  for (const id of [1, 2]) await table.create({ id, name: `name ${id}`, team: '' })
  await table.change(table.find('id', 1) as Row, { name: 'x' })
  for (const row of [...table.rows]) table.remove(row)
  expect(heard).toEqual(['x', 1, 2])
  expect(table.rows).toMatchObject([{ id: 2 }])
})

test('a hook that throws ends a creation, and what was created is whole for all hooks', () => {
  const table = tableOf()
  table.hooks.on('create', ({ data: { record } }) => {
    if (record.name === 'bad') throw new Error('not this one')
  })
  expect(() => table.insert({ id: 1, name: 'bad', team: '' })).toThrow('not this one')
  expect(table.insert({ id: 2, name: 'good', team: '' })).toEqual({ id: 2, name: 'good', team: '' })
  expect(table.rows).toHaveLength(1)
})

test('what fits no schema is told in one line, and changes nothing', async () => {
  const table = tableOf()
  const [row] = [table.insert({ id: 1, name: 'a', team: '' })]
  await expect(table.create({ id: 'x', name: 'a', team: '' } as never)).rejects.toThrow(/^create: id: /)
  expect(() => table.change(row, { name: 3 } as never)).toThrow(/^update: name: /)
  const late = table.update(row as never, {
    data: async (draft) => void Object.assign(draft, { name: 'late' }),
  })
  await expect(late).rejects.toThrow('update: data must change the record at once')
  expect(table.rows).toEqual([row])
})
