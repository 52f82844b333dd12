/** Section 1: bodies are JSON, whichever of its ways of writing a text a client takes. */
import { mentions } from '../suite/look.js'
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
      const field = operation === 'updateCustomField' ? await t.run.own.field() : null
      const path = field ? { path: { field_id: field.id } } : {}
      const answer = await t.send({ operation, ...path, ...written(body, name), effect })
      if (!t.expect(answer, 200, 'a definition with escapes in its texts')) return
      const renamed = field && t.run.own.fieldRenamed(field, name)
      const own = renamed ?? (await t.run.own.adoptField(name, answer))
      // Those with plain names are found, or this would not have come so far.
      t.verify(own !== null, 'a field whose name was written with escapes is not found by it', answer)
      if (own === null || field?.name == null) return
      const page = await t.send({ operation: 'getCustomFieldUpdatePage', path: { field_id: own.id } })
      t.verify(
        page.status !== 200 || !mentions(page.json, 'u0074') || mentions(page.json, name),
        'the name is shown with the escapes with which it was written',
        page,
        operation,
      )
    },
  }),
]
