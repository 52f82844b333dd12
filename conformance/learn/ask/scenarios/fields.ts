/** Custom fields of its own: made, changed, refused, and deleted afterwards. */
import type { Request, Scenario } from '../script.js'
import { long, strange } from './bodies.js'

export const fields: readonly Scenario[] = [
  {
    id: 'definitions',
    safety: 'write',
    async run(s) {
      const plain = s.fieldBody()
      const [project = '1'] = s.profile.projects ?? []
      const create = (body: unknown, more: Request = {}) => s.send('createCustomField', { body, ...more })
      await create(plain, { bind: { name: 'plain', kind: 'field', of: plain.custom_field.name } })
      for (const request of s.few(3, strange))
        await s.send('createCustomField', { ...request, refused: 'body' })
      const types = s.few(3, [undefined, 'none-such', 'STRING', 5, '', null, '0', 'list', '3', '99'])
      for (const type of types) await create(s.fieldBody({ type }))
      const name = plain.custom_field.name
      for (const other of s.few(4, [
        name,
        name.toUpperCase(),
        '',
        `${s.name()},x`,
        12,
        ` ${s.name()} `,
        `<b>${s.name()}</b>`,
        '   ',
        null,
        `${s.name()} é`,
      ]))
        await create(s.fieldBody({ name: other }))
      const nameless = { ...s.fieldBody().custom_field, name: undefined }
      await create({ custom_field: nameless })
      if (s.thorough) await create({ custom_field: {} })
      for (const type of ['enum', 'choice']) {
        const fine = await create(s.fieldBody({ type, possible_values: 'a|b', default_value: 'a' }))
        if (!s.thorough && fine?.status !== 200) continue
        await create(s.fieldBody({ type }))
        await create(s.fieldBody({ type, possible_values: 'a|b', default_value: 'c' }))
        if (!s.thorough) break
      }
      await create(s.fieldBody({ default_value: long(256) }))
      if (s.thorough) await create(s.fieldBody({ default_value: long(120) }))
      if (s.thorough) await create(s.fieldBody({ type: 'date', default_value: 'someday' }))
      await create(s.fieldBody({ display_report: 'yes' }))
      await create(s.fieldBody({ display_report: true, display_update: false }))
      await create(s.fieldBody({ colour: 'red' }))
      await create({ ...s.fieldBody(), extra: 1 })
      for (const projects of s.few(2, [
        [project],
        ['987654'],
        [project, '987654'],
        ['abc'],
        [1],
        [],
        'x',
        null,
      ]))
        await create({ ...s.fieldBody(), projects })
      await create({ custom_field: 'text' })
      await create(s.fieldBody(), { headers: { 'Content-Type': 'text/plain' } })
      await s.send('listCustomFields')
    },
  },
  {
    id: 'redefinitions',
    safety: 'write',
    async run(s) {
      const other = s.fieldBody()
      await s.send('createCustomField', { body: other })
      const field = await s.field({ possible_values: 'a|b', default_value: 'a', display_report: true })
      const path = { field_id: field }
      const [project = '1', second = project] = s.profile.projects ?? []
      const update = (body: unknown, more: Request = {}) =>
        s.send('updateCustomField', { path, body, ...more })
      await s.send('getCustomFieldUpdatePage', { path })
      await update({ custom_field: { default_value: 'b' } })
      await s.send('getCustomFieldUpdatePage', { path })
      for (const request of s.few(2, strange))
        await s.send('updateCustomField', { path, ...request, refused: 'body' })
      for (const definition of s.few(5, [
        {},
        { type: 'none-such' },
        { type: 'date' },
        { name: '' },
        { name: other.custom_field.name },
        { name: other.custom_field.name.toUpperCase() },
        { name: `a,${s.name()}` },
        { colour: 'red' },
        { display_report: 'yes' },
        { type: s.profile.customField?.type ?? 'string' },
        { type: 'enum' },
        { name: null },
        { name: 7 },
        { name: s.name() },
        { display_update: null },
        { default_value: long(256) },
        { possible_values: 5 },
      ]))
        await update({ custom_field: definition })
      for (const projects of s.few(3, [[project], [], ['987654'], [second], ['abc'], null]))
        await update({ custom_field: { display_report: true }, projects })
      await s.send('getCustomFieldUpdatePage', { path })
      await s.send('deleteCustomField', { path, body: { force: true } })
      const deleted = await s.send('deleteCustomField', { path })
      // One that was ever in a project may not be deleted at all.
      const again = deleted?.status === 200 ? path : { field_id: await s.field() }
      await s.send('deleteCustomField', { path: again })
      const linked = await s.field({}, [project])
      await s.send('listCustomFields')
      if (s.profile.tokens.restricted) await s.send('listCustomFields', { as: 'restricted' })
      await s.send('deleteCustomField', { path: { field_id: linked } })
      await s.send('getCustomFieldUpdatePage', { path: { field_id: linked } })
    },
  },
  {
    id: 'lengths',
    safety: 'write',
    async run(s) {
      const limit = s.profile.customField?.nameLimit ?? 64
      const fits = async (length: number) => {
        const name = `${s.name()}${long(length)}`.slice(0, length)
        return (await s.send('createCustomField', { body: s.fieldBody({ name }) }))?.status === 200
      }
      let [most, least] = [0, 0]
      // Names of its own have about twenty characters; a shorter limit would show everywhere.
      for (const length of [limit, limit + 1, limit - 1, 40, 64, 65, 128, 255, 256]) {
        if (length < 24 || length <= most || (least > 0 && length >= least)) continue
        const fine = await fits(length)
        if (fine) most = Math.max(most, length)
        else least = least === 0 ? length : Math.min(least, length)
      }
      while (most > 0 && least - most > 1) {
        const middle = Math.floor((most + least) / 2)
        if (await fits(middle)) most = middle
        else least = middle
      }
    },
  },
]
