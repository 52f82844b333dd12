/** Section 1: one JSON text has many spellings. Each is judged against the plain one, so that what else may be wrong is left aside. */
import { type Row, requirementOf, type Variant } from '../suite/engine.js'
import { group } from '../suite/requirement.js'
import { needProven } from '../suite/subjects.js'

const spellings: readonly (readonly [how: string, spell: (body: unknown, only?: string) => string])[] = [
  ['indented', (body) => `\n${JSON.stringify(body, null, 2)}\n`],
  ['with its texts in escapes', inEscapes],
]

/** With each character of its texts, or of `only` this one, as JSON writes one by its number. */
function inEscapes(body: unknown, only?: string): string {
  return JSON.stringify(body).replace(/"(?:[^"\\]|\\.)*"/g, (quoted) => {
    const text = JSON.parse(quoted) as string
    if (only !== undefined && text !== only) return quoted
    const units = text.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    return `"${units.join('')}"`
  })
}

/** The text of a body that is made up, and tells what became of it. */
function tellingIn(body: unknown): string | undefined {
  const { username, realname, custom_field } = body as {
    readonly [name in 'username' | 'realname']?: string
  } & { readonly custom_field?: { readonly name?: string } }
  return username ?? realname ?? custom_field?.name
}

const row: Row = {
  id: 'body.spelling',
  level: 'must',
  section: '1',
  statement: 'A body is read as JSON: indented, or with its texts in escapes, it does what it does without.',
  // The own password has no further change to spare.
  operations: [
    'createUser',
    'updateUser',
    'addUserToProjects',
    'createCustomField',
    'updateCustomField',
    'updateUserSettings',
    'manageColumns',
    'updatePlugin',
    'updateSettings',
  ],
  safety: 'write',
  allowed: [200],
  fresh: true,
  async change(subject, t) {
    const { operation } = subject
    await needProven(t, subject)
    if (operation === 'createCustomField' && !(await t.run.own.canFollowFields()))
      t.skip('no field of its own can be found in answers')
    // Assigning the same project once more may be refused.
    const all = operation === 'addUserToProjects' ? spellings.slice(0, 1) : spellings
    const variants: Variant[] = []
    for (const [index, [how, spell]] of all.entries()) {
      const body = await subject.again(index + 1)
      // Where another text is misread, that would leave what the run does not find again.
      const only = operation === 'updateUser' ? undefined : tellingIn(body)
      variants.push({
        what: `a valid body ${how}`,
        call: { body, rawBody: spell(body, only) },
        shows: tellingIn,
      })
    }
    return variants
  },
}

export const spelling = group({ rank: 310 }, [requirementOf(row)])
