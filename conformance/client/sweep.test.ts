/** What a sweep says is left on trackers that tell existing things from missing ones in ways of their own. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { answering } from '../../fixtures/answering.js'
import type { Profile, Safety } from '../contract/index.js'
import { createClient } from './client.js'
import { createLedger, type Entry, type Intent } from './ledger.js'
import { closeTold, leftoversOf, sweep } from './sweep.js'

type Respond = (method: string, name: string, path: string) => { status?: number; json: unknown }

const serving = (respond: Respond) =>
  answering(({ method = '', url = '' }, response) => {
    const { status = 200, json } = respond(method, decodeURIComponent(url.split('/').at(-1) ?? ''), url)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  })

/** A client of such a tracker, with a ledger that has these entries. */
async function opened(respond: Respond, safety: Safety, intents: Intent[] = [], more: Partial<Profile> = {}) {
  const baseUrl = await serving(respond)
  const profile = { baseUrl, tokens: { administrator: 'secret' }, ...more }
  const ledger = createLedger(null, { tag: 'tk9682x', baseUrl })
  for (const intent of intents) ledger.intend(intent)
  const client = createClient(profile, { safety, timeout: 5_000, rate: 0, ledger })
  onTestFinished(() => client.close())
  const left = async () => {
    const swept = await sweep(client, profile, ledger)
    closeTold(ledger, [swept])
    return leftoversOf([swept])
  }
  return { client, ledger, left }
}

async function leftOn(respond: Respond, safety: Safety, ...intents: Intent[]): Promise<string[]> {
  const { ledger, left } = await opened(respond, safety, intents)
  const lines = await left()
  expect(ledger.open.length === 0).toBe(lines.every((line) => /\((disabled;|may be there twice)/.test(line)))
  return lines
}

const user: Intent & { name: string } = {
  ...{ kind: 'user', name: 'tk9682xx001', id: null, state: 'refused', words: ['tk9682xx001'] },
}
const missing = { status: 404, json: {} }
const unknown = "user tk9682xx001 (probably enabled: no read shows it to be the run's own)"
const made = 'user tk9682xx001 (made by a request that had to be refused)'

describe('a user whose creation was refused', () => {
  test.each<[string, Respond, string[]]>([
    ['an empty list for everybody', () => ({ json: { users: [] } }), []],
    ['what was asked for', (_, name) => ({ json: { users: [], query: name } }), []],
    ['404', () => ({ status: 404, json: {} }), []],
    [
      'nothing for those alone who are there',
      (_, name) => (name === user.name ? { json: {} } : missing),
      [unknown],
    ],
    ['a list of one', (_, name) => ({ json: { users: name === user.name ? [{ name }] : [] } }), [made]],
    ['a list of all', () => ({ json: { users: [{ name: 'root' }, { name: user.name }] } }), [unknown]],
  ])('is told from the answers where a read gives %s', async (_, respond, left) => {
    expect(await leftOn(respond, 'read', user)).toEqual(left)
  })

  test('whose state no page shows is told with what a person must do', async () => {
    const respond: Respond = (method, name) =>
      method === 'GET' ? { json: { users: name === user.name ? [{ name }] : [] } } : { status: 403, json: {} }
    expect(await leftOn(respond, 'write', { ...user, state: 'done' })).toEqual([
      'user tk9682xx001 (perhaps still enabled: the tracker answered 403 to disabling it, and no page shows what it is now; look at it there and disable it)',
    ])
  })

  test('is disabled where that was done before the tracker refused all changes of it', async () => {
    let body: Record<string, unknown> | null = null
    const { client, ledger, left } = await opened((method, name) => {
      if (method === 'POST') body = {}
      if (method !== 'PATCH') return body && name === user.name ? { json: { users: [{ name }] } } : missing
      return body?.isProtected ? { status: 403, json: {} } : { json: {} }
    }, 'write')
    const set = (change: object) =>
      client.send({ operation: 'updateUser', path: { user_id: user.name }, body: change })
    await client.send({ operation: 'createUser', body: { username: user.name } })
    await set({ enabled: false })
    body = { isProtected: true }
    expect(await left()).toEqual([`user ${user.name} (disabled; this interface deletes no users)`])
    body = {}
    ledger.reopen(ledger.known[0] as Entry)
    await set({ enabled: true })
    body = { isProtected: true }
    expect(await left()).toEqual([expect.stringMatching(/^user tk9682xx001 \(perhaps still enabled/)])
  })
})

describe('a run that was killed before the answer to a second creation under one name', () => {
  test('leaves the user disabled, and tells that there may be another', async () => {
    let enabled = true
    const respond: Respond = (method, name) => {
      if (name !== user.name) return { status: 404, json: {} }
      if (method !== 'GET') enabled = false
      return { json: { user: { name, real_name: 'tk9682xx003', enabled } } }
    }
    const first: Intent = { ...user, state: 'done', words: [user.name, 'tk9682xx003'] }
    const second: Intent = { ...user, state: 'asked', words: ['tk9682xx004'] }
    const left = await leftOn(respond, 'write', first, second)
    expect(enabled).toBe(false)
    expect(left).toEqual([
      'user tk9682xx001 (may be there twice: the answer to its second creation was lost)',
      'user tk9682xx001 (disabled; this interface deletes no users)',
    ])
  })

  test('removes the field, and leaves nothing', async () => {
    let isThere = true
    const name = 'tk9682xx002'
    const respond: Respond = (method, id, path) => {
      if (method === 'DELETE') isThere = false
      const others = [{ id: 3, name: 'Severity' }]
      if (id === 'custom_fields') return { json: { fields: isThere ? [...others, { id: 7, name }] : others } }
      if (path.includes('/3/')) return { json: { fields: others } }
      if (!isThere) return { status: 404, json: {} }
      return { json: { fields: [{ id: 7, name }] } }
    }
    const first: Intent = { kind: 'customField', name, state: 'done', words: [name], id: 7 }
    const second: Intent = { kind: 'customField', name, state: 'asked', words: [name] }
    expect(await leftOn(respond, 'write', first, second)).toEqual([])
    expect(isThere).toBe(false)
  })
})

describe('a custom field that was not found again', () => {
  const name = '<b>tk9682xx002</b>'
  const field: Intent = { kind: 'customField', name, state: 'done', words: ['tk9682xx002'] }
  const unknown = `custom field ${name} (no read shows its id)`
  test.each<[string, unknown, string[]]>([
    ['shows others alone', { custom_fields: [{ id: 1, name: 'Severity' }] }, []],
    ['is empty', { custom_fields: [] }, [unknown]],
    ['shows one without a name', { custom_fields: [{ id: 1, name: '' }] }, [unknown]],
    ['shows ids alone', { custom_fields: [1, 2] }, [unknown]],
    ['is one page of several', { custom_fields: [{ id: 1, name: 'Severity' }], next_page: 2 }, [unknown]],
  ])('is left where the list might hold it: the list %s', async (_, json, left) => {
    expect(await leftOn(() => ({ json }), 'write', field)).toEqual(left)
  })
})

test.each<[Partial<Profile>, string]>([
  [{ tokens: { administrator: 'secret', password: 'other' } }, 'has no passwordAccount with a token'],
  [{ passwordAccount: { current: 'first', next: 'second' } }, 'has no passwordAccount with a token'],
])('a password that the profile %j cannot change back is left with the reason', async (more, why) => {
  const password: Intent = { kind: 'password', name: 'passwordAccount' }
  const { left } = await opened(() => ({ json: {} }), 'destructive', [password], more)
  expect(await left()).toEqual([`the password account's password (the profile ${why})`])
})

test.each([200, 403])(
  'a password that is not changed back is left, after a change with %i',
  async (status) => {
    let changes = 0
    const respond: Respond = () => {
      changes += 1
      return { status: changes === 1 ? status : 403, json: { message: 'Once a day' } }
    }
    const { client, ledger, left } = await opened(respond, 'destructive', [], {
      tokens: { administrator: 'secret', password: 'other' },
      passwordAccount: { current: 'first', next: 'second' },
    })
    const body = { password_current: 'first', password: 'second' }
    await client.send({ operation: 'changeOwnPassword', as: 'password', body })
    const told = 'no longer passwordAccount.current, as far as changes show: 403'
    expect(await left()).toEqual([`the password account's password (${told})`])
    expect(ledger.open).toHaveLength(1)
  },
)
