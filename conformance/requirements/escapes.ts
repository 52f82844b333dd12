/** Section 1: bodies are JSON, whichever of its ways of writing a text a client takes. */
import { listFields } from '../suite/fields.js'
import { isPaged, mentions } from '../suite/look.js'
import { requirement } from '../suite/requirement.js'

const effect = 'write'

/** Each of its characters as JSON writes one by its number. */
const escaped = (text: string) =>
  [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

export const escapes = [
  requirement({
    id: 'body.escapes',
    level: 'must',
    section: '1',
    statement: 'A text that is written with the escapes of JSON is the text that they stand for.',
    operations: ['createUser', 'updateUser', 'createCustomField', 'updateCustomField'],
    safety: 'write',
    each: true,
    async check(t, operation) {
      /** The same body twice, for the ledger and for the target. */
      const written = (body: object, text: string) => ({
        body,
        rawBody: JSON.stringify(body).replaceAll(text, escaped(text)),
      })
      if (operation === 'createUser') {
        await t.run.own.user()
        const body = t.run.own.userBody()
        const answer = await t.send({ operation, ...written(body, body.username), effect })
        if (!t.expect(answer, 200, 'a creation with escapes in its texts')) return
        await t.run.own.adoptUser(body, answer)
        const found = await t.send({ operation: 'getUser', path: { user_id: body.username } })
        t.expect(found, 200, 'reading a user whose name was written with escapes', operation)
      }
      if (operation === 'updateUser') {
        const user = await t.run.own.user()
        const path = { user_id: user.username }
        const shown = async () => (await t.send({ operation: 'getUser', path })).json
        const plain = `Plain Person of ${t.run.tag}`
        await t.send({ operation, path, body: { realname: plain }, effect })
        const visible = mentions(await shown(), plain)
        const realname = `Escaped Person of ${t.run.tag}`
        const answer = await t.send({ operation, path, ...written({ realname }, realname), effect })
        if (!t.expect(answer, 200, 'an update with escapes in its texts')) return
        t.verify(
          !visible || mentions(await shown(), realname),
          'a real name is shown, and not one that was written with escapes',
          answer,
        )
      }
      if (!operation.endsWith('CustomField')) return
      t.need('customField.type')
      if (!(await t.run.own.canFollowFields())) t.skip('no field of its own can be found in answers')
      const body = t.run.own.fieldBody()
      const { name } = body.custom_field
      const rule = 'a definition with escapes in its texts'
      if (operation === 'createCustomField') {
        const answer = await t.send({ operation, ...written(body, name), effect })
        if (!t.expect(answer, 200, rule)) return
        // Another with a plain name was found, unless it is on another page of the list.
        const found = (await t.run.own.adoptField(name, answer)) !== null
        const paged = isPaged((await listFields(t)).json)
        t.verify(found || paged, 'a field whose name was written with escapes is not found by it', answer)
        return
      }
      const field = await t.run.own.field()
      const path = { field_id: field.id }
      const page = async () => (await t.send({ operation: 'getCustomFieldUpdatePage', path })).json
      const visible = field.name !== null && mentions(await page(), field.name)
      const answer = await t.send({ operation, path, ...written(body, name), effect })
      if (!t.expect(answer, 200, rule)) return
      t.run.own.fieldRenamed(field, name)
      t.verify(
        !visible || mentions(await page(), name),
        'the update page shows the name of a field, and not one that was written with escapes',
        answer,
      )
    },
  }),
]
