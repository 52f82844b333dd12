/** The oracle is tested by traces of a few exchanges: what it must find in them, and what it must not. */
import { describe, expect, test } from 'vitest'
import type { Exchange } from './exchange.js'
import { did, withCauses } from './finding.js'
import { judge, rules } from './judge.js'
import type { Knowledge } from './knowledge.js'
import { NO_ID } from './names.js'

const knowledge: Knowledge = {
  baseUrl: 'http://tracker.test/rest',
  callers: ['administrator', 'restricted', 'password', 'disabled'],
  user: { id: 5, username: 'reporter' },
  accessLevel: 25,
  projectAccessLevel: 'reporter',
  projects: ['1', '2'],
  customField: { type: 'string', nameLimit: 64 },
  plugin: { name: 'Snippets', priority: { min: 1, max: 5 } },
  recipients: [3],
  columns: { project: { id: 1 }, type: 'view', columns: ['id', 'status'] },
  userSetting: { option: 'delay', value: '5' },
  passwordAccount: { current: 'SECRET.account.current', next: 'SECRET.account.next' },
  password: { valid: 'SECRET.password.valid', invalid: 'SECRET.password.invalid' },
}

/** `caller METHOD path [body] -> status [answer]`, with `admin` for the administrator, and `LOST` for a body that the recording lacks. */
function exchangeOf(line: string, index: number): Exchange {
  const parts = /^(\S+) (\S+) ([^\s?]+)(\S*)(?: (.+?))? -> (\d+)(?: (.*))?$/.exec(line)
  if (parts === null) throw new Error(`"${line}" is no exchange`)
  const [, caller = '', method = '', path = '', query = '', body, status = '0', text] = parts
  const isLost = { body: body === 'LOST', text: text === 'LOST' }
  return {
    ...{ n: index + 1, caller: caller === 'admin' ? 'administrator' : caller, method },
    ...{ path: `/rest/plugins/Ext${path}`, query, headers: {}, status: Number(status) },
    responseHeaders: { 'content-type': 'application/json' },
    body: isLost.body ? null : (body ?? null),
    text: isLost.text ? '' : (text ?? (status === '200' ? '{}' : '{"message":"No"}')),
    lost: (['body', 'text'] as const).filter((part) => isLost[part]),
  }
}

const findingsIn = (lines: readonly string[], more: Partial<Knowledge> = {}) =>
  judge(lines.map(exchangeOf), { ...knowledge, ...more }).findings.map(
    ({ rule, operation, n }) => `${rule} ${operation} #${n}`,
  )

const user = (name: string, more: object = {}) =>
  JSON.stringify({ username: name, email: `${name}@example.org`, password: 'SECRET.password.valid', ...more })
const create = (name: string, more?: object) => `admin POST /users ${user(name, more)} -> 200`
const page = (name: string, more: object = {}) =>
  `admin GET /users/${name} -> 200 ${JSON.stringify({ name, ...more })}`
const update = (name: string, body: object, answer = '-> 200') =>
  `admin PATCH /users/${name} ${JSON.stringify(body)} ${answer}`
const field = (name: string, answer = '-> 200', more: object = {}) =>
  `admin POST /custom_fields/create ${JSON.stringify({ custom_field: { name, type: 'string' }, ...more })} ${answer}`
const listed = (...names: string[]) =>
  `admin GET /custom_fields -> 200 ${JSON.stringify(names.map((name, id) => ({ id: id + 10, name })))}`

const ownField = [
  field('kitfieldone'),
  listed('kitfieldone'),
  'admin GET /custom_fields/10/pages/update -> 200 {"id":10,"name":"kitfieldone"}',
]
const deletedColour = [
  ...[field('colour', '-> 200 {"id":10}'), listed('colour')],
  'admin DELETE /custom_fields/10 -> 200',
]
const rename = (name: string, flag: boolean, status: number) =>
  `admin PATCH /custom_fields/10 {"custom_field":{"name":"${name}","type":"string","display_report":${flag}}} -> ${status}`
const fieldInParts = (name: string, report: boolean) =>
  `admin GET /custom_fields/10/pages/update -> 200 {"name":"${name}","display":{"report":${report}}}`

const tokens = (caller: string, ...ids: readonly number[]) =>
  `${caller} GET /me/tokens -> 200 ${JSON.stringify({ tokens: ids.map((id) => ({ id, since: '2026-11-02 10:04' })) })}`
const account = (caller: string, name: string) => `${caller} GET /me/account -> 200 {"name":"${name}"}`
/** After an impersonation of the reporter, a caller is shown the account of the administrator, or of `whom`. */
const impersonated = (caller: string, whom = 'admin person') => [
  ...['admin', 'admin', 'restricted', 'restricted'].map((one) => account(one, `${one} person`)),
  'admin PUT /users/reporter/impersonate -> 200',
  account(caller, whom),
]

/** Two users each have a session. The third one is Annie's again, who is called Anna by now. */
const sessionAfterChange = (shown: string) => {
  const begun = (name: string, session: number, real_name: string) => [
    `admin PUT /users/${name}/impersonate -> 200`,
    `session:${session} GET /me/account -> 200 ${JSON.stringify({ name, real_name })}`,
  ]
  return [
    ...[create('annabel', { realname: 'Annie' }), create('barnaby', { realname: 'Barney' })],
    ...[...begun('annabel', 1, 'Annie'), ...begun('barnaby', 2, 'Barney')],
    update('annabel', { realname: 'Anna' }),
    ...begun('annabel', 3, shown),
  ]
}

/**
 * A name, and indented below it the exchanges. Behind `=>` stands what must be found in the exchange, or in the one
 * with the number.
 */
const casesIn = (table: string) =>
  table.split(/\n {4}(?=\S)/).map((text) => {
    const [name = '', ...lines] = text.trim().split(/\n +/)
    const parts = lines.map((line) => line.split(' => '))
    const found = parts.flatMap(([, findings], index) =>
      (findings?.split(', ') ?? []).map((one) => (one.includes('#') ? one : `${one} #${index + 1}`)),
    )
    return { name, lines: parts.map(([exchange = '']) => exchange), found }
  })

/** Makes a test of each case of a table, in which a list stands for an exchange in each line. */
const knowing =
  (more: Partial<Knowledge>) =>
  (strings: TemplateStringsArray, ...values: readonly (string | readonly string[])[]) => {
    const table = String.raw({ raw: strings }, ...values.map((value) => [value].flat().join('\n      ')))
    test.each(casesIn(table.trimEnd()).slice(1))('$name', ({ lines, found }) => {
      expect(lines).not.toEqual([])
      expect(findingsIn(lines, more)).toEqual(found)
    })
  }
const run = knowing({})

describe('an answer by itself', () => {
  run`
    an error body without a message, a code that is a text, a success that is not JSON, and no operation
      none GET /plugins -> 401 {} => error.body listPlugins
      none GET /plugins -> 401 {"message":"","code":"7"} => error.code listPlugins
      admin GET /plugins -> 200 <html> => success.json listPlugins
      admin GET /nothing -> 500
  `
})

describe('who asks', () => {
  const mailed = (caller: string) =>
    `${caller} GET /me/account -> 200 {"name":"${caller} person","mail":"${caller}@x.org"}`
  const dated = (caller: string, name: string, minute: number) =>
    `${caller} GET /me/account -> 200 {"name":"${name}","zone":"UTC","language":"german","read":"10:0${minute}"}`
  run`
    a stranger is answered 403, or told of a broken body
      none GET /users/reporter -> 403 => authentication getUser
      none POST /users {"a": -> 400
    an unknown caller, an ordinary user from whom things may be hidden, and a disabled user are served or refused
      somebody:1 POST /users {} -> 401
      restricted GET /plugins -> 200 => permission listPlugins
      restricted GET /users/reporter -> 404
      disabled GET /me/account -> 200 => authentication.disabled getAccountPage
    a user whom nobody may read by the one address is read by the other
      restricted GET /users/5 -> 403
      restricted GET /users/reporter -> 200 {"id":5,"name":"reporter"} => permission.forms getUser
    a user who is disabled under another name is closed to ordinary users
      ${create('annabel')}
      restricted GET /users/annabel -> 200 {"name":"annabel"}
      ${update('annabel', { username: 'bertram', enabled: false })}
      restricted GET /users/bertram -> 403
    an ordinary user may change itself
      restricted GET /me/account -> 200 {"name":"rita"}
      restricted PATCH /users/rita {"realname":"Rita R"} -> 200
    whoever impersonates itself may be told so before anything else
      ${page('worker')}
      ${account('restricted', 'worker')}
      restricted PUT /users/worker/impersonate -> 400
    the page of the caller in a session that is refused what the caller may do
      ${['admin', 'admin', 'restricted', 'restricted'].map(mailed)}
      admin PUT /users/reporter/impersonate -> 200
      ${mailed('admin').replace('admin', 'session:1')} => session getAccountPage #6
      session:1 GET /plugins -> 403
    an impersonation that names another user
      ${[create('annabel'), create('bertram')]}
      admin PUT /users/annabel/impersonate -> 200 {"as":"Bertram","by":"adam"} => session impersonateUser
      admin PUT /users/annabel/impersonate -> 200 {"as":"annabel","before":"bertram"}
    a session that names the user and the caller, with the rights of the caller
      ${impersonated('session:1', 'reporter')}
      restricted GET /plugins -> 403
      ${create('annabel')}
      admin PUT /users/annabel/impersonate -> 200 => session impersonateUser #11
      session:2 GET /me/account -> 200 {"name":"annabel","by":"admin person"}
      session:2 GET /plugins -> 200 []
    a token that speaks before the session beside it
      ${impersonated('session:1+administrator')}
    the account page of a session that shows the user as it was before
      ${sessionAfterChange('Annie')} => stored updateUser
    the account page of a session that shows a later change, or may have begun before it
      ${sessionAfterChange('Anna')}
      ${update('annabel', { realname: 'Anne' })}
      session:3 GET /me/account -> 200 {"name":"annabel","real_name":"Anna"}
    beside the token, a session of another user
      ${create('annabel')}
      admin PUT /users/reporter/impersonate -> 200 => session impersonateUser
      session:1+administrator GET /me/account -> 200 {"name":"annabel"}
    beside the token, a session of another caller
      ${['admin', 'admin', 'restricted', 'restricted'].map(mailed)}
      admin PUT /users/reporter/impersonate -> 200 => session impersonateUser
      ${mailed('restricted').replace('restricted', 'session:1+administrator')}
    account pages that differ in their times alone
      ${['admin', 'admin', 'restricted', 'restricted'].map((one, index) => dated(one, 'adam', index))} => own-page getAccountPage #1
    tokens with one id whose last use differs
      ${['admin', 'restricted'].map((one, minute) => `${one} GET /me/tokens -> 200 [{"id":4,"name":"SECRET.1","used":"10:0${minute}"}]`)} => own-page getTokensPage #1
    tokens of one name without ids
      ${['admin', 'restricted'].map((one) => `${one} GET /me/tokens -> 200 [{"name":"SECRET.1"}]`)}
    account pages of two callers with their times
      ${['admin', 'admin', 'restricted', 'restricted'].map((one, index) => dated(one, one, index))}
    a page that names everybody tells nothing of a session
      admin GET /me/account -> 200 {"name":"adam","mail":"adam@x.org","all":["annabel"]}
      admin GET /me/account -> 200 {"name":"adam","mail":"adam@x.org","all":["annabel"]}
      ${[create('annabel', { enabled: true, protected: false }), 'admin PUT /users/annabel/impersonate -> 200']}
      session:1 GET /me/account -> 200 {"name":"adam","mail":"adam@x.org","all":["annabel"]}
      session:1 PATCH /settings [{"option":"a","value":1}] -> 200
    a token of its own for the session leaves the caller what he is
      ${[create('annabel', { enabled: true, protected: false }), listed('colour', 'size', 'weight')]}
      admin PUT /users/annabel/impersonate -> 200
      ${account('session:1', 'annabel')}
      admin DELETE /custom_fields/10 -> 200
      ${listed('weight')} => listed deleteCustomField
    the account page of another
      ${[...['admin', 'admin', 'restricted', 'restricted', 'admin'].map(mailed), mailed('admin').replace('admin', 'restricted')]} => own-page getAccountPage #6
  `
})

const long = 'x'.repeat(200)

describe('what is there and what is not', () => {
  run`
    a user has a long name, under which nobody was found before
      ${[create('annabel'), `admin GET /users/${long} -> 404`, update('annabel', { username: long })]}
      ${page(long)}
    the newest field is hidden, and shows once there is a newer one
      ${[listed('others'), field('colour', '-> 200 {"id":11}'), listed('others')]}
      ${[field('weight', '-> 200 {"id":12}'), listed('others', 'colour')]}
      admin DELETE /custom_fields/12 -> 200
      ${listed('others')} => listed deleteCustomField
    the columns of the profile are right, and fewer of them may not be
      admin POST /manage-columns {"project":{"id":1},"type":"view","columns":["status","id"]} -> 200
      admin POST /manage-columns {"project":{"id":1},"type":"view","columns":["id","status"]} -> 400 => success manageColumns
      admin POST /manage-columns {"project":{"id":1},"type":"view","columns":["id"]} -> 400
    a body that has a member twice may be refused, one that has it once may not
      admin POST /manage-columns {"project":{"id":1},"type":"view","columns":["status","id"]} -> 200
      admin POST /manage-columns {"project":{"id":1},"type":"view","columns":["id","status"],"type":"view"} -> 400
      admin POST /manage-columns {"project":{"id":1},"type":"view", "columns":["id","status"]} -> 400 => success manageColumns
    a name and an integer that nothing has, and a text in the place of an integer
      admin GET /users/kitnosuchname -> 400 => not-found getUser
      admin GET /users/tkabcdexfgh -> 200 {}
      admin GET /users/tkabcdexfgh/pages/edit -> 404
      admin GET /users/${NO_ID}/pages/edit -> 400 => not-found getUserEditPage
      admin DELETE /custom_fields/${NO_ID} -> 200 => not-found deleteCustomField
      admin DELETE /custom_fields/letters -> 403 => no-integer deleteCustomField
    other texts may address something
      admin GET /users/1x -> 200
      admin GET /users/77 -> 400
    a record that names its neighbour, a new user, does not tell the id of that user
      ${[create('annabel'), page('annabel', { next: 'zoe' })]}
      admin GET /users/1 -> 200 {"name":"root","next":"annabel"}
      admin GET /users/1 -> 404
    an id that nobody had may be given to the next user
      admin GET /users/77 -> 404
      ${[create('annabel'), 'admin GET /users/77 -> 200 {"name":"annabel"}']}
    a created user that is not found
      ${create('annabel')}
      admin GET /users/annabel -> 404 => success createUser
    the edit page of a user whom a tracker protects
      ${create('annabel', { enabled: true, protected: false })}
      admin GET /users/annabel/pages/edit -> 403 => success getUserEditPage
      ${[update('annabel', { protected: true }), 'admin GET /users/annabel/pages/edit -> 403']}
    a tracker may store a username in small letters
      ${[create('Annabel'), 'admin GET /users/Annabel -> 404']}
    a created user whom one read does not find, and another does
      ${create('annabel')}
      admin GET /users/annabel -> 404 => success getUser
      ${page('annabel/pages/edit', { user: 'annabel' })}
    a user may be found by the e-mail address, but by no other text that is near its names and its id
      ${create('annabel', { realname: 'Anna Bell' })}
      admin GET /users/annabel@example.org -> 200 {"name":"annabel"}
      admin GET /users/Anna%20Bell -> 200 {"name":"annabel"} => not-found.text getUser
      admin GET /users/-5 -> 200 {"name":"reporter"} => not-found.text getUser
      admin GET /users/annabelx -> 200 {"name":"annabel"} => not-found.text getUser
      admin GET /users/annabe/pages/edit -> 200 {"name":"annabel"} => not-found.text getUserEditPage
    the page of a field that a change has not found
      admin PATCH /custom_fields/99 {"custom_field":{"name":"Nothing"}} -> 404
      admin GET /custom_fields/99/pages/update -> 200 {} => not-found getCustomFieldUpdatePage
    a longer name may be that of somebody else
      ${[create('annabel'), 'admin GET /users/annabelx -> 200 {"name":"annabelx","mother":"annabel"}']}
    a refused creation that made the user
      admin GET /users/annabel -> 404
      admin POST /users ${user('annabel')} -> 400
      admin GET /users/annabel -> 200 {"name":"annabel"} => refused-not-done createUser
    the former name of a renamed user
      ${[create('annabel'), update('annabel', { username: 'bertram' })]}
      admin GET /users/annabel -> 200 {"name":"bertram"} => not-found updateUser
    nobody by the former name of a renamed user
      ${[create('annabel'), page('annabel'), update('annabel', { username: 'bertram' })]}
      admin GET /users/annabel -> 200 {"id":0} => not-found getUser
    a deleted field comes back with the next one
      ${[...deletedColour, listed(), field('shape', '-> 200 {"id":11}')]}
      ${listed('colour', 'shape')} => listed deleteCustomField
    a deleted field is made again
      ${[...deletedColour, listed(), field('colour', '-> 200 {"id":10}')]}
      ${listed('colour')}
    a field is listed under its former name, too
      ${ownField}
      admin PATCH /custom_fields/10 {"custom_field":{"name":"kitfieldtwo"}} -> 200
      ${listed('kitfieldtwo', 'kitfieldone')} => listed updateCustomField
    another field gets the former name of a field
      ${ownField}
      admin PATCH /custom_fields/10 {"custom_field":{"name":"kitfieldtwo"}} -> 200
      ${[field('kitfieldone', '-> 200 {"id":11}'), listed('kitfieldtwo', 'kitfieldone')]}
    a deleted field is deleted again
      ${deletedColour}
      admin DELETE /custom_fields/10 -> 200 => not-found deleteCustomField
    a field that no answer has shown is deleted twice
      admin DELETE /custom_fields/7 -> 200
      admin DELETE /custom_fields/7 -> 200 => not-found deleteCustomField
    a recipient is deleted twice
      admin DELETE /helpdesk/recipient/3 -> 200
      admin DELETE /helpdesk/recipient/3 -> 200 => not-found deleteHelpdeskRecipient
  `
})

describe('a body', () => {
  run`
    a field keeps its own name in an update
      ${ownField}
      ${rename('kitfieldone', true, 200)}
      ${rename('kitfieldone', false, 200)}
      ${rename('kitfieldone', true, 400)} => success updateCustomField
    settings without a body may be an empty list, but an object and broken JSON are none
      admin PATCH /settings [1 -> 200 => body.json updateSettings
      admin PATCH /settings -> 200
      admin PATCH /settings {} -> 200 => body.object updateSettings
    a body that lacks a required member, or has a wrong e-mail address or an unknown setting
      password PATCH /me/password {"password":"x"} -> 200 => body.members changeOwnPassword
      admin POST /users ${user('annabel', { email: 'nowhere' })} -> 200 => body.members createUser
      admin PATCH /user-settings {"configs":[{"option":"kit_no_such_name","value":"1"}]} -> 200 => body.members updateUserSettings
    a value that was accepted is refused, though nothing has the name
      ${create('annabel', { enabled: true })}
      ${create('tkabcdexaaa', { enabled: false }).replace('-> 200', '-> 400')} => success createUser
    another may have had the name or the address before
      ${[create('annabel', { enabled: true }), 'admin GET /users/bertram -> 404']}
      ${create('bertram', { enabled: false }).replace('-> 200', '-> 400')}
    a password that was changed elsewhere
      password PATCH /users/keeper {"password":"SECRET.account.next"} -> 200
      password PATCH /me/password {"password_current":"SECRET.account.next","password":"SECRET.account.current"} -> 200
  `
})

const users = ['annabel', 'bertram', 'cornelia', 'dorothy']
/** Two users that were created and two changes, each shown: enough to learn where a member is shown. */
const taught = (name: string, values: readonly unknown[]) => [
  ...users.flatMap((one, index) => [
    create(one, { [name]: values[index % values.length], enabled: index % 2 === 0, protected: false }),
    page(one, { [name]: values[index % values.length], active: index % 2 === 0 }),
  ]),
]

const named = taught('realname', ['Ann A', 'Bert B', 'Cora C', 'Dora D'])

const selected = (query: string, realname: string, active: boolean) =>
  `admin GET /users/reporter${query} -> 200 ${JSON.stringify({ name: 'reporter', realname, active })}`
const linked = (address: string, name = 'reporter', to = address) =>
  `admin GET /users/${address} -> 200 {"name":"${name}","self":"\\/rest\\/plugins\\/Ext\\/users\\/${to}"}`

/** A user on the edit page, then on its own. */
const locked = (name: string, isLocked: boolean) =>
  ['/pages/edit', ''].map((end) => page(`${name}${end}`, { name, locked: isLocked }))

/** A field with possible values, and the list that shows some in its record. */
const valued = (type: string, given: string, shown = given) => {
  const definition = { name: `field${given.replace('|', '')}`, type, possible_values: given }
  return [
    `admin POST /custom_fields/create ${JSON.stringify({ custom_field: definition })} -> 200`,
    `admin GET /custom_fields -> 200 ${JSON.stringify([{ ...definition, possible_values: shown }])}`,
  ]
}

describe('what is stored', () => {
  run`
    possible values are dropped where the type has none
      ${['a|b', 'c|d'].flatMap((values) => valued('enum', values))}
      ${['e|f', 'g|h'].flatMap((values) => valued('float', values, ''))}
    possible values are lost where another field of the type shows its own
      ${['a|b', 'c|d'].flatMap((values) => valued('enum', values))}
      ${valued('float', 'e|f')}
      ${valued('float', 'g|h', '')} => stored createCustomField
    an administrator changes the users behind tokens
      admin PATCH /users/reporter {"enabled":false} -> 200
      restricted GET /me/account -> 403
      restricted GET /plugins -> 200
      admin GET /plugins -> 403
      disabled GET /me/account -> 200
    a disabled user is hidden from everybody
      ${[create('annabel', { enabled: true }), page('annabel'), update('annabel', { enabled: false })]}
      admin PATCH /users/annabel {"realname":"Anna"} -> 404 => success updateUser
      admin GET /users/annabel -> 404
      admin PATCH /users/annabel {"realname":"Anna"} -> 404
      ${[create('barnaby', { enabled: true }), 'admin GET /users/barnaby -> 404']} => success createUser
    a disabled user that was shown before is not hidden
      ${['annabel', 'barnaby'].map((name) => create(name, { enabled: false }))}
      ${[page('annabel'), 'admin GET /users/barnaby -> 404']} => success createUser
    a user that was protected before it was disabled may still refuse a reset after an update
      ${['annabel', 'barnaby'].map((name) => create(name, { enabled: true, protected: false }))}
      ${[update('annabel', { protected: true }), update('annabel', { enabled: false }), update('annabel', { enabled: true, realname: 'Ann B' }), update('annabel', { realname: 'Ann C' })]}
      admin PUT /users/annabel/reset -> 403
      ${[update('barnaby', { realname: 'Barnaby B' }), 'admin PUT /users/barnaby/reset -> 403']} => success resetUser
    a reset of a user without an e-mail address may be refused
      ${create('annabel', { email: undefined, enabled: true, protected: false })}
      admin PUT /users/annabel/reset -> 400
      ${create('barnaby', { enabled: true, protected: false })}
      admin PUT /users/barnaby/reset -> 400 => success resetUser
    a single change that was answered 200, and that shows nowhere
      ${[page('reporter', { enabled: true }), update('reporter', { enabled: false }), page('reporter', { enabled: true })]} => stored updateUser
      ${[page('robert', { full: 'Robert R' }), update('robert', { realname: 'Robert S' }), page('robert', { full: 'Robert R' })]}
      ${[create('annabel', { realname: 'Ann A' }), page('annabel', { full: 'Ann A' }), update('annabel', { realname: 'Ann B' }), page('annabel', { full: 'Ann A' })]} => stored updateUser
    a single deletion that deletes nothing, and one after which the list tells so
      ${[listed('kitone', 'kittwo'), 'admin DELETE /custom_fields/10 -> 200', listed('kitone', 'kittwo')]} => stored deleteCustomField
      admin DELETE /custom_fields/11 -> 200
      admin GET /custom_fields -> 200 [{"id":10,"name":"kitone"},{"id":11,"name":"kittwo","deleted":true}]
    a change in the same page that shows is right, and so is one that the page does not show
      ${[page('reporter', { enabled: true, form: { enabled: true } }), update('reporter', { enabled: false }), page('reporter', { enabled: false, form: { enabled: true } })]}
      ${[page('robert', { form: { enabled: true } }), update('robert', { enabled: false }), page('robert', { form: { enabled: true } })]}
    a text of a user from before the trace that nobody has given stays as it was
      ${named}
      ${[page('reporter', { realname: 'Rita' }), update('annabel', { realname: 'Anna' })]}
      ${page('reporter', { realname: '' })} => stored updateUser
      ${page('reporter', { realname: '' })} => stored updateUser
    a user links to the address that was asked
      ${['reporter', '5', 'reporter'].map((address) => linked(address))}
    the id and the username show two users
      ${linked('reporter')}
      ${linked('5', 'robert')} => own-record.alias getUser
      ${linked('reporter')}
    a flag that goes there and back on one user
      ${[create('annabel', { protected: false }), page('annabel', { shielded: false })]}
      ${[create('bertram', { protected: true }), page('bertram', { shielded: false })]} => stored createUser
      ${[true, false].flatMap((flag) => [update('annabel', { protected: flag }), page('annabel', { shielded: flag })])}
      ${[create('cornelia', { protected: false }), page('cornelia', { shielded: false }), page('annabel', { shielded: false })]}
    a level stands as a number and as a word, and a creation stores another one
      admin GET /users/pages/create -> 200 {"levels":[10,30,50]}
      ${users.slice(0, 2).flatMap((one) => [create(one, { access_level: 30 }), page(one, { rank: 30, role: 'reporter' })])}
      ${[50, 30].flatMap((level) => users.slice(0, 2).flatMap((one) => [update(one, { access_level: level }), page(one, { rank: level, role: level === 50 ? 'developer' : 'reporter' })]))}
      ${[create('eleanor', { access_level: 10 }), page('eleanor', { rank: 30, role: 'reporter' })]} => stored createUser
    all users have one level, whatever their creations give
      admin GET /users/pages/create -> 200 {"levels":[25,55,70]}
      ${[create('annabel', { access_level: 55 }), page('annabel', { access_level: 25 })]} => stored createUser
      ${[create('bertram', { access_level: 25 }), page('bertram', { access_level: 25 })]}
      ${[create('cornelia', { access_level: 70 }), page('cornelia', { access_level: 25 })]} => stored createUser
    the language of a user changes with that of another
      ${users.flatMap((one, at) => [create(one, { language: ['german', 'french'][at % 2] }), page(one, { tongue: ['german', 'french'][at % 2] })])}
      ${[update('annabel', { enabled: false }), page('annabel', { tongue: 'german' })]}
      ${[update('bertram', { language: 'french' }), page('annabel', { tongue: 'french' })]} => stored updateUser
    two texts of one user, and the first one is lost
      ${[create('annabel', { realname: 'Ann A' }), page('annabel', { called: '' })]} => stored createUser
      ${['Ann B', 'Ann C'].flatMap((text) => [update('annabel', { realname: text }), page('annabel', { called: text })])}
      ${[update('annabel', { email: 'ann@example.net' }), page('annabel', { called: 'Ann C' })]}
    a text with unusual signs that a refused change replaces
      ${named}
      ${[update('annabel', { realname: 'Ann <A>' }), page('annabel', { realname: 'Ann A', active: true })]}
      restricted PATCH /users/annabel {"realname":"Ann X"} -> 403
      ${page('annabel', { realname: 'Ann X', active: true })} => stored updateUser
    a timezone that an update keeps, and a creation loses
      ${users.flatMap((one, at) => [create(one), page(one, { zone: 'UTC' }), update(one, { timezone: ['Asia/Tokyo', 'Europe/Rome'][at % 2] }), page(one, { zone: ['Asia/Tokyo', 'Europe/Rome'][at % 2] })])}
      ${[create('eleanor', { timezone: 'Asia/Tokyo' }), page('eleanor', { zone: 'UTC' })]} => stored createUser
    a list shows the names of fields by project before their records
      ${['one', 'two', 'three'].flatMap((end, at, all) => [field(`kitfield${end}`), `admin GET /custom_fields -> 200 ${JSON.stringify({ by: { Apollo: at === 2 ? ['kitfieldthree'] : [] }, all: all.slice(0, at + 1).map((one) => ({ id: one.length, name: `kitfield${one}`, type: 'string' })) })}`])}
    an empty text for the language may stand for none
      ${taught('language', ['german', 'french'])}
      ${[update('annabel', { language: '', realname: '' }), page('annabel', { language: 'english', realname: '' })]}
    a deletion that deletes nothing, of a field whose id its creation and its record tell
      ${field('kitfieldone', '-> 200 {"id":16,"size":64}')}
      admin GET /custom_fields -> 200 [{"id":16,"name":"kitfieldone","size":64},{"id":7,"name":"other","size":64}]
      admin DELETE /custom_fields/16 -> 200
      admin GET /custom_fields -> 200 [{"id":16,"name":"kitfieldone","size":64},{"id":7,"name":"other","size":64}] => listed deleteCustomField
    an id that is a thousand times as large as any other belongs to nothing
      ${ownField}
      admin PATCH /custom_fields/999999 {"custom_field":{"name":"kitfieldone","type":"string"}} -> 200 => not-found updateCustomField
    columns are shown as saved in the answer and as before in a read, twice
      ${['id', 'status'].flatMap((one) => [[one], undefined].map((columns) => `admin POST /manage-columns ${JSON.stringify({ project: { id: 1 }, type: 'view', columns })} -> 200 {"shown":${JSON.stringify(columns ?? ['id', 'status', 'summary'])}}`))} => saved manageColumns #2
    the level in a project is not that of the user, which this caller is not shown
      admin GET /users/pages/create -> 200 {"levels":[25,55,70]}
      ${users.flatMap((one, at) => [create(one, { access_level: [25, 55][at % 2] }), `somebody:2 GET /users/${one} -> 200 ${JSON.stringify({ name: one, projects: [{ id: 1, access_level: [25, 55][at % 2] }] })}`])}
      ${[55, 70].flatMap((level) => [update('annabel', { access_level: level }), 'somebody:2 GET /users/annabel -> 200 {"name":"annabel","projects":[{"id":1,"access_level":55}]}'])}
    a text whose bytes are read as signs
      ${named}
      ${[update('annabel', { realname: 'Zoë' }), page('annabel', { realname: 'ZoÃ«', active: true })]} => whole updateUser
    a user without a real name is shown with that of another
      ${named}
      ${create('eleanor')}
      ${page('eleanor', { realname: 'Dora D', active: true })} => stored createUser
    every page names the level that is called like the caller
      ${[1, 2].map(() => account('admin', 'administrator","mail":"adam@example.org'))}
      ${users.flatMap((name) => [create(name), page(`${name}/pages/edit`, { name }), page(name, { name: undefined, levels: ['viewer', 'administrator'] })])}
    a selection changes a member
      ${[selected('', 'Rob', true), selected('', 'Rob', true), selected('?select=realname', 'Bob', true)]} => selected getUser #3
    an answer with a selection shows its own time
      ${['1764260435', '/Date(1764260435000+0000)/'].flatMap((time) => [selected('', time, true), selected('', time, true), selected('?select=active', time.replace('35', '36'), true)])}
    an answer with a selection shows its own checksum
      ${['', '', '?select=name'].map((query) => `admin GET /users/reporter${query} -> 200 ${JSON.stringify(query === '' ? { name: 'reporter', realname: 'R', etag: '"a1b2"' } : { name: 'reporter', etag: '"c3d4"' })}`)}
    new users have ids of more than 32 bits
      admin POST /users ${user('annabel')} -> 200 {"id":7000000037,"username":"annabel"}
      ${[1, 2].map(() => page('7000000037', { id: 7000000037, name: 'annabel' }))}
    a selection leaves a member at zero
      ${[selected('', '12', true), selected('', '12', true), selected('?select=active', '0', true)]}
    a change of another flag takes a protection away, which a page showed before
      ${users.flatMap((name) => [create(name, { enabled: true, protected: false }), ...locked(name, false)])}
      ${users.flatMap((name) => [true, false].flatMap((flag) => [update(name, { protected: flag }), ...locked(name, flag)]))}
      ${[update('annabel', { protected: true }), ...locked('annabel', true), update('annabel', { enabled: true })]}
      ${page('annabel', { locked: false })} => stored updateUser
      ${[update('bertram', { protected: true }), ...locked('bertram', true), update('bertram', { enabled: true })]}
      ${page('bertram', { locked: false })} => stored updateUser
    the answer to an update has all fields
      ${ownField}
      ${field('kitfieldtwo')}
      admin GET /custom_fields/11/pages/update -> 200 {"id":11,"name":"kitfieldtwo"}
      ${rename('kitfieldone', true, 200)} [{"id":10,"name":"kitfieldone"},{"id":11,"name":"kitfieldtwo"}]
      ${rename('kitfieldtwo', true, 200).replace('/10', '/11')} [{"id":9,"name":"colour"},{"id":11,"name":"kitfieldtwo"}]
    a page shows the flag that the last change of any user gave
      ${users.flatMap((name) => [create(name, { protected: false }), page(name, { last: {} })])}
      ${users.slice(0, 2).flatMap((name) => [true, false].flatMap((flag) => [update(name, { protected: flag }), page(name, { last: { shielded: flag } })]))}
      ${update('cornelia', { realname: 'Cora C' })}
      ${users.map((name) => page(name, { last: {} }))}
    two users without a real name, of whom one was given an empty one
      ${taught('realname', ['Ann A', 'Bert B', 'Cora C', ''])}
      ${[create('eleanor'), page('eleanor', { realname: '', active: true })]}
    the refused request whose text is shown is to blame, and not what came later
      ${named}
      admin POST /users ${user('annabel', { realname: 'Adam X' })} -> 400
      ${update('bertram', { email: 'bertram@example.net' })}
      ${page('annabel', { realname: 'Adam X', active: true })} => stored createUser
    a lost answer leaves both values possible
      ${named}
      ${update('annabel', { realname: 'Ann X' }, '-> 0')}
      ${page('annabel', { realname: 'Ann X', active: true })}
    a flag that is shown in words, and lost by an update
      ${users.flatMap((one, index) => [
        create(one, { enabled: index % 2 === 0, protected: false }),
        page(one, { state: index % 2 === 0 ? 'active' : 'suspended' }),
      ])}
      ${[update('bertram', { enabled: true }), page('bertram', { state: 'active' })]}
      ${update('cornelia', { enabled: false })}
      ${page('cornelia', { state: 'active' })} => stored updateUser
    a flag of a plugin stays, in a record within that of the plugin
      admin POST /plugin/Snippets/install -> 200
      ${[true, false, true].flatMap((flag) => [
        `admin PATCH /plugin/Snippets {"protected":${flag}} -> 200`,
        'admin GET /plugins -> 200 [{"name":"Snippets","state":{"protected":false}},{"name":"Help","state":{"protected":true}}]',
      ])} => stored updatePlugin #3, stored updatePlugin #7
    a flag stands under both words of its name, and an update loses it
      ${field('wide', '-> 200 {"id":10}')}
      ${[true, false].flatMap((flag) => [rename('wide', flag, 200), fieldInParts('wide', flag)])}
      ${rename('wide', true, 200)}
      ${fieldInParts('wide', true)}
      ${rename('wide', false, 200)}
      ${fieldInParts('wide', true)} => stored updateCustomField
    a username that is an e-mail address teaches nothing of addresses
      ${['ann@x.org', 'bert@x.org', 'cora@x.org'].flatMap((name) => [create(name, { email: name }), page(name)])}
      ${[update('ann@x.org', { username: 'anna@x.org' }), page('anna@x.org')]}
    a setting that is answered 200 and not stored
      admin GET /user-settings -> 200 [{"option":"delay","value":"2"},{"option":"zone","value":"UTC"}]
      admin PATCH /user-settings {"configs":[{"option":"delay","value":"5"}]} -> 200
      admin GET /user-settings -> 200 [{"option":"delay","value":"2"},{"option":"zone","value":"UTC"}] => stored updateUserSettings
    a setting that stands beside its default
      admin GET /user-settings -> 200 [{"option":"delay","value":"2","default":"2"}]
      admin PATCH /user-settings {"configs":[{"option":"delay","value":"5"}]} -> 200
      admin GET /user-settings -> 200 [{"option":"delay","value":"5","default":"2"}]
      admin PATCH /user-settings {"configs":[{"option":"delay","value":"7"}]} -> 200
      admin GET /user-settings -> 200 [{"option":"delay","value":"5","default":"2"}] => stored updateUserSettings
  `
})

describe('projects', () => {
  const free = { access_level: 25, enabled: true, protected: false }
  const add = (name: string, ids: readonly string[], status = 200) =>
    `admin POST /users/${name}/projects {"project_ids":${JSON.stringify(ids)},"access_level":"reporter"} -> ${status}`
  const member = (name: string, ids: readonly number[]) => page(name, { projects: ids.map((id) => ({ id })) })
  const answered = (name: string, body: object, flag: boolean) =>
    `admin PATCH /users/${name} ${JSON.stringify(body)} -> 200 {"username":"${name}","client_preferred":${flag}}`
  const inProjects = (id: number, name: string, projects: readonly string[], shown: readonly string[]) => [
    field(name, `-> 200 {"id":${id}}`, { projects }),
    `admin GET /custom_fields/${id}/pages/update -> 200 ${JSON.stringify({ id, name, projects: shown.map((id) => ({ id })) })}`,
  ]
  const members = ['annabel', 'bertram', 'cornelia'].flatMap((name) => [
    ...[create(name, free), member(name, []), add(name, ['1']), member(name, [1])],
  ])
  /** Two fields without projects that get some by an update. */
  const linking = (projects: readonly string[], shown: readonly string[]) =>
    (projects.length > 1 ? [30, 31] : [32, 33]).flatMap((id) => [
      ...inProjects(id, `height${id}`, [], []),
      `admin PATCH /custom_fields/${id} {"custom_field":{"name":"height${id}"},"projects":${JSON.stringify(projects)}} -> 200`,
      inProjects(id, `height${id}`, [], shown)[1] ?? '',
    ])
  const both = [['1'], ['2'], [], ['1'], ['2'], []]
  const ranked = (name: string, levels: Readonly<Record<string, string>>) =>
    page(name, { projects: Object.entries(levels).map(([id, level]) => ({ id: Number(id), level })) })
  const give = (name: string, id: string, level: string) =>
    `admin POST /users/${name}/projects {"project_ids":["${id}"],"access_level":"${level}"} -> 200`
  const levels = [
    'admin GET /users/pages/create -> 200 {"levels":["reporter","manager"]}',
    ...['reporter', 'manager', 'reporter', 'manager'].flatMap((level, index) => [
      ...[create(`worker${index}`, free), ranked(`worker${index}`, {})],
      give(`worker${index}`, '1', level),
      ranked(`worker${index}`, { 1: level }),
    ]),
  ]
  const joined = (name: string, projects: string) => page(name, { projects })
  run`
    the ids of the projects stand in one text
      ${['annabel', 'bertram', 'cornelia'].flatMap((name) => [create(name, free), joined(name, ''), add(name, ['1']), joined(name, '1')])}
      ${[add('annabel', ['2']), joined('annabel', '1,2'), add('bertram', ['2']), joined('bertram', '1')]} => stored addUserToProjects
      ${joined('bertram', '1')} => stored addUserToProjects
    updates ignore the projects
      ${both.flatMap((ids, index) => inProjects(10 + index, `colour${index}`, ids, ids))}
      ${linking(['1'], [])}
    an update ignores the second project
      ${both.flatMap((ids, index) => inProjects(10 + index, `colour${index}`, ids, ids))}
      ${linking(['2'], ['2'])}
      ${linking(['1', '2'], ['1'])} => stored updateCustomField #24, stored updateCustomField #28
    a creation links another project
      ${linking(['1', '2'], ['1', '2'])}
      ${inProjects(20, 'length', ['1'], ['2'])} => stored createCustomField, stored createCustomField
    a user gets another level in a project than the given one
      ${levels}
      ${[create('annabel', free), ranked('annabel', {}), give('annabel', '1', 'manager')]}
      ${ranked('annabel', { 1: 'reporter' })} => stored addUserToProjects
    a level of who may be in the project, one that no page offers, and a level in spite of a new one of the user
      ${levels}
      ${[create('annabel', free), give('annabel', '1', 'manager'), ranked('annabel', { 1: 'reporter' })]}
      ${[create('bertram', free), ranked('bertram', {}), give('bertram', '1', 'owner')]}
      ${ranked('bertram', { 1: 'reporter' })}
      ${[give('worker1', '1', 'reporter'), ranked('worker1', { 1: 'manager' })]}
      ${[update('worker3', { access_level: 25 }), ranked('worker3', { 1: 'reporter' })]}
    an update loses a membership
      ${members}
      ${update('annabel', { realname: 'Ann' })}
      ${member('annabel', [])} => stored updateUser
    a user who is in a project with another one is not added to it again
      ${[create('annabel', free), member('annabel', []), add('annabel', ['1']), member('annabel', [1, 2])]}
      ${add('annabel', ['2'], 400)}
    a user who is in another project is not added to a second one
      ${[create('annabel', free), member('annabel', []), add('annabel', ['1']), member('annabel', [1])]}
      ${add('annabel', ['2'], 400)} => success addUserToProjects
    the answer to a change does not show yet what a disabled user loses
      ${[create('annabel', { client_preferred: true }), answered('annabel', { realname: 'Ann' }, true)]}
      ${[create('bertram', { client_preferred: false }), answered('bertram', { realname: 'Bert' }, false)]}
      ${[answered('annabel', { client_preferred: false }, true), answered('annabel', { realname: 'Anna' }, false)]}
      ${[answered('bertram', { enabled: false }, false), answered('bertram', { realname: 'Bo' }, true)]}
    a field that is linked to one project may belong to its subproject, too
      ${[['1'], ['2'], [], ['1'], ['2'], []].flatMap((ids, index) => inProjects(10 + index, `colour${index}`, ids, ids))}
      ${inProjects(20, 'length', ['1'], ['1', '2'])}
    one project is named twice, and a user is there already
      ${[create('annabel', free), create('bertram', free), add('bertram', ['1']), add('bertram', ['2'])]}
      ${[add('annabel', ['1', '1'], 400), add('bertram', ['1', '2'], 400)]}
  `
  knowing({ projects: ['4711', 'ops'] })`
    projects are pairs of an id, which may be a number or a word, and a level
      ${['annabel', 'bertram', 'cornelia'].flatMap((name, at) => [create(name, free), ...[[], ['4711'], ['4711', 'ops']].flatMap((ids) => [...ids.slice(-1).map((id) => add(name, [id])), page(name, { projects: (at < 2 ? ids : ids.toReversed()).map((id) => [id, 'reporter']) })])])}
  `
  knowing({ projects: [] })`
    a field that a project has is kept, and nobody knows the projects
      admin POST /custom_fields/create {"custom_field":{"name":"fifth","type":"string"},"projects":["1"]} -> 200 {"id":7,"name":"fifth"}
      admin GET /custom_fields/7/pages/update -> 200 {"id":7,"name":"fifth"}
      admin DELETE /custom_fields/7 -> 400
  `
})

describe('over several exchanges', () => {
  run`
    an ordering by texts of numbers
      ${listed('colour', 'size', 'weight')}
      admin GET /custom_fields?sort_by=id -> 200 [{"id":12,"name":"weight"},{"id":10,"name":"colour"},{"id":11,"name":"size"}] => ordered.by listCustomFields
    ids with their numbers behind a word, in the order of the numbers
      admin GET /custom_fields -> 200 [{"id":"f/8","name":"weight"},{"id":"f/10","name":"size"},{"id":"f/9","name":"colour"}]
      admin GET /custom_fields?sort_by=id -> 200 [{"id":"f/8","name":"weight"},{"id":"f/9","name":"colour"},{"id":"f/10","name":"size"}]
    a tracker that knows the direction of the ordering, and not its member
      ${listed('size', 'colour', 'weight')}
      admin GET /custom_fields?sort_by=name&sort_order=desc -> 200 [{"id":12,"name":"weight"},{"id":11,"name":"colour"},{"id":10,"name":"size"}]
    a text that was refused shows in the place of another one, and one that another change has given
      ${['One', 'Two'].flatMap((one) => [`admin PATCH /users/12 {"realname":"Robert ${one}","email":"x"} -> 400`, `admin GET /users/12 -> 200 {"name":"robert","realname":"Robert ${one}"}`])} => stored updateUser
      ${['robert', '12'].map((at) => `admin PATCH /users/${at} {"realname":"Robert Six"} -> ${at === '12' ? 400 : 200}`)}
      admin GET /users/12 -> 200 {"name":"robert","realname":"Robert Six"}
    the same request is refused and then served
      admin PATCH /settings [{"a":1}] -> 400 => steady updateSettings
      admin PATCH /settings [{"a":1}] -> 200
    a field that is lost from the list
      ${[field('colour', '-> 200 {"id":10}'), field('weight', '-> 200 {"id":11}'), listed('colour', 'weight')]}
      ${listed('colour')} => listed listCustomFields
    the flags of another plugin
      admin GET /plugins -> 200 [{"name":"Help","protected":false},{"name":"Gantt","protected":false}]
      admin POST /plugin/Snippets/install -> 200
      admin GET /plugins -> 200 [{"name":"Help","protected":true},{"name":"Gantt","protected":false},{"name":"Snippets","protected":false}] => neighbours installPlugin
    the priorities of all plugins
      admin GET /plugins -> 200 [{"name":"Help","about":"","priority":3},{"name":"Gantt","about":"","priority":1},{"name":"Snippets","priority":3}]
      admin PATCH /plugin/Snippets {"priority":5} -> 200
      admin GET /plugins -> 200 [{"name":"Help","about":"","priority":5},{"name":"Gantt","about":"","priority":5},{"name":"Snippets","priority":5}] => neighbours updatePlugin
    a number of one other plugin may change
      admin GET /plugins -> 200 [{"name":"Help","place":4},{"name":"Gantt","place":2},{"name":"Snippets","place":5}]
      admin PATCH /plugin/Snippets {"priority":5} -> 200
      admin GET /plugins -> 200 [{"name":"Help","place":5},{"name":"Gantt","place":2},{"name":"Snippets","place":4}]
    a plugin that was uninstalled is not found, nor is it the next time
      admin POST /plugin/Snippets/install -> 200
      admin POST /plugin/Snippets/uninstall -> 200
      admin POST /plugin/Snippets/install -> 404 => success uninstallPlugin
      admin POST /plugin/Snippets/install -> 404 => success uninstallPlugin
    a plugin that was uninstalled cannot be installed
      admin POST /plugin/Snippets/uninstall -> 200
      admin POST /plugin/Snippets/install -> 400 => success installPlugin
    a user of whom one member is so already may refuse the others with it
      ${[create('annabel', { access_level: 25, enabled: true, protected: false }), page('annabel')]}
      ${[update('annabel', { protected: true }), update('annabel', { protected: false })]}
      ${[10, 25].map((access_level) => update('annabel', { access_level }))}
      ${update('annabel', { protected: true, access_level: 25 }, '-> 400')}
    a plugin refuses both values of a flag
      admin POST /plugin/Snippets/install -> 200
      admin PATCH /plugin/Snippets {"protected":false} -> 200
      admin PATCH /plugin/Snippets {"protected":true} -> 400 => success updatePlugin
    a tracker may want both members of a plugin
      admin POST /plugin/Snippets/install -> 200
      admin PATCH /plugin/Snippets {"protected":true} -> 400
      admin PATCH /plugin/Snippets {"protected":false} -> 400
  `
})

describe('a recording of a client', () => {
  const person = (name: string, realname: string, address = name) =>
    `admin GET /users/${address} -> 200 ${JSON.stringify({ name, realname, email: `${name}@example.org` })}`
  const renames = (address: string, realname: string) => update(address, { realname })
  const twoRenamed = ['gustav', 'henriette'].flatMap((name) => [
    renames(name, `New ${name}`),
    person(name, `New ${name}`),
  ])
  const inPart = (name: string, isOutside: boolean) =>
    page(name, { parts: isOutside ? [] : [{ id: 3, name: 'Billing' }] })
  const typed = (name: string, type: string) =>
    `admin POST /custom_fields/create {"custom_field":{"name":"${name}","type":"${type}"}} -> 200`
  const listedTypes = (...types: string[]) =>
    `admin GET /custom_fields -> 200 ${JSON.stringify(types.map((name, id) => ({ id: id + 10, name: `field${id}`, type: { name } })))}`
  const account = (name: string) =>
    `admin GET /me/account -> 200 {"name":"${name}","mail":"${name}@example.org"}`
  run`
    a member that never shows anything else may be what the tracker keeps
      ${[false, true].flatMap((client_preferred, index) => [
        create(users[index] ?? '', { client_preferred }),
        page(users[index] ?? '', { client_preferred: false }),
      ])}
      ${[update('annabel', { client_preferred: true }), page('annabel', { client_preferred: false })]}
    whoever is shown nothing in the place of a value may not see it
      ${users.flatMap((name, index) => [
        create(name, { realname: `Person ${name}` }).replace('admin', 'unknown'),
        page(name, { realname: `Person ${name}`, n: index }).replace('admin', 'unknown'),
      ])}
      ${page('annabel', { realname: null, n: 0 }).replace('admin', 'unknown')}
    members that every object inherits
      ${create('annabel')}
      ${[{ realname: { toString: 1, valueOf: 2 } }, { username: [{ toString: 1 }] }].map((body) => update('annabel', body, '-> 400'))}
      admin POST /manage-columns {"project":{"id":{"\\u0074oString":1}}} -> 400
      admin GET /custom_fields -> 200 {"4":{"id":{"toString":1}},"5":{"name":"size"}}
    a token that has ended before is refused, whatever it asks for
      password GET /me/account -> 401
      password PATCH /me/password {} -> 401
      disabled GET /me/account -> 401
      disabled GET /me/account -> 200 {} => authentication.disabled getAccountPage, steady getAccountPage #3
    whose level stays keeps the rights, and whose level is lowered may lose them
      somebody:1 GET /plugins -> 200 []
      admin PATCH /users/rita {"realname":"Rita"} -> 200
      somebody:1 GET /plugins -> 403 => success listPlugins
      admin PATCH /users/rita {"access_level":10} -> 200
      somebody:1 GET /plugins -> 403
    a tracker that leaves the token to its caller is judged on after an impersonation
      ${account('adam')}
      ${create('annabel', { enabled: true, protected: false })}
      admin PUT /users/annabel/impersonate -> 200
      ${account('adam')}
      admin PUT /users/annabel/impersonate -> 200
      admin GET /plugins -> 403 => success listPlugins
    who has come back by impersonating itself is not judged after the next impersonation
      ${account('adam')}
      ${create('annabel', { enabled: true, protected: false })}
      restricted GET /me/account -> 200 {"name":"rita","mail":"rita@example.org"}
      admin PUT /users/annabel/impersonate -> 200
      admin PUT /users/adam/impersonate -> 403
      ${account('adam')}
      admin PUT /users/annabel/impersonate -> 200
      admin GET /plugins -> 403
    a plugin that could not be installed is not found, whatever is wanted of it
      admin POST /plugin/Gantt/install -> 404
      admin PATCH /plugin/Gantt {"protected":false,"priority":2} -> 400 => not-found updatePlugin
      admin POST /plugin/Gantt/uninstall -> 200 => not-found uninstallPlugin
    a name that says that nothing bears it
      admin POST /plugin/NoSuchPlugin/install -> 200 => not-found installPlugin
      admin GET /users/monosuch -> 200
    an integer that nothing has is no id by any rule
      admin GET /custom_fields/0/pages/update -> 404
      admin GET /custom_fields/0/pages/update -> 404
    two tokens of one session
      session:1 GET /me/account -> 401
      session:1 GET /me/account -> 200 {"name":"annabel"}
    of two users with one name an answer may show either
      ${named}
      ${create('annabel', { realname: 'Eve E' })} => users.unique createUser
      ${page('annabel', { realname: 'Eve E', active: true })}
    a username of the profile is given to another
      ${update('annabel', { username: 'reporter' })} => users.unique updateUser
    a tracker may want a list of columns even for a read
      admin POST /manage-columns {"project":{"id":1},"type":"view"} -> 400
    the default type of columns need not be named
      admin POST /manage-columns {"project":{"id":1},"type":"view"} -> 200
      admin POST /manage-columns {"project":{"id":1}} -> 400 => success manageColumns
    an update that a user from before the recording does not keep
      ${twoRenamed}
      ${renames('konrad', 'New Konrad')}
      ${person('konrad', 'Konrad')} => stored updateUser
    a user may be found by another spelling, and by any text that is shown
      ${twoRenamed}
      ${[person('konrad', 'Old Konrad'), person('konrad', 'Old Konrad', 'Konrad'), renames('Konrad', 'New Konrad'), person('konrad', 'New Konrad')]}
      ${[person('ludwig', 'Old Ludwig'), renames('ludwig@example.org', 'New Ludwig'), person('ludwig', 'New Ludwig')]}
      ${[create('leonie', { realname: 'Old Leonie' }), renames('leonie@example.org', 'New Leonie'), person('leonie', 'New Leonie')]}
    a field may have had a name that is refused
      ${listed('colour', 'size')}
      admin PATCH /custom_fields/20 {"custom_field":{"name":"weight"}} -> 200
      admin PATCH /custom_fields/20 {"custom_field":{"name":"weight","type":"nothing"}} -> 400
      ${listed('colour', 'size', 'weight')}
    the page shows a type that the list never had
      admin GET /custom_fields/pages/create -> 200 {"types":["string","numeric","enum"]}
      ${['numeric', 'string'].map((type, id) => typed(`field${id}`, type))}
      ${Array.from({ length: 4 }, () => listedTypes('numeric', 'string'))}
      ${['enum', 'enum'].flatMap((type, id) => [typed(`more${id}`, type), `admin GET /custom_fields/${id + 12}/pages/update -> 200 {"id":${id + 12},"name":"more${id}","type":{"name":"enum"}}`])}
    a part that only disabled users had at first
      ${users.flatMap((name, index) => [create(name, { enabled: index < 2 }), inPart(name, index < 2), update(name, { enabled: index > 1 }), inPart(name, index > 1)])}
      ${['zacharias', 'yvonne'].flatMap((name) => [create(name, { enabled: true }), inPart(name, false)])}
    after a change with a lost body all may be different
      admin GET /users/zoe -> 404
      ${[create('annabel', { realname: 'Anna' }), page('annabel', { realname: 'Anna' })]}
      admin PATCH /users/annabel LOST -> 200
      admin GET /users/annabel -> 404
      ${page('zoe', { realname: 'Anna' })}
    a lost answer shows nothing
      ${listed('colour', 'size')}
      admin GET /plugins -> 200 [{"basename":"Zoom"},{"basename":"Agenda"}]
      admin GET /custom_fields -> 200 LOST
      admin GET /plugins -> 200 LOST
      admin POST /plugin/Snippets/install -> 200
      ${listed('colour', 'size')}
      admin GET /plugins -> 200 [{"basename":"Zoom"},{"basename":"Agenda"},{"basename":"Snippets"}]
      none GET /plugins -> 200 LOST => authentication listPlugins
    a reset of another user leaves the password of the account
      admin GET /me/account -> 200 {"name":"adam","mail":"adam@example.org"}
      password GET /me/account -> 200 {"name":"paula","mail":"paula@example.org"}
      admin GET /users/reporter -> 200 {"name":"reporter","mail":"rob@example.org"}
      admin PUT /users/reporter/reset -> 200
      password PATCH /me/password {"password_current":"SECRET.7","password":"SECRET.account.next"} -> 200 => password.current changeOwnPassword
  `

  test.each([
    [
      'a user is renamed and updated',
      ['admin GET /users/dev -> 404', update('dev', { realname: 'D' }), update('dev2', { username: 'dev' })],
    ],
    [
      'a user is created and read',
      [create('annabel'), 'admin GET /users/annabel -> 404', 'admin GET /users/annabel -> 200 {}'],
    ],
    [
      'a user is renamed twice',
      [
        page('dev'),
        update('dev', { username: 'dev2' }),
        update('dev2', { username: 'dev' }),
        'admin GET /users/dev -> 404',
      ],
    ],
    [
      'a field is created and listed',
      [
        listed('colour', 'size'),
        field('weight', '-> 200', { projects: ['1'] }),
        listed('colour', 'size'),
        listed('colour', 'size', 'weight', 'more'),
      ],
    ],
  ])('if %s at once, either may have come first', (_, lines) => {
    const last = lines.length - 1
    const times = lines.map((_line, index) =>
      index === last || (index === 0 && lines.length > 3) ? index * 100 : 50,
    )
    const trace = lines.map((line, index) => {
      const startedAt = times[index] ?? 0
      return { ...exchangeOf(line, index), startedAt, endedAt: startedAt + 40 }
    })
    expect(judge(trace, knowledge).findings).toEqual([])
  })

  test.each([
    ['rounding may have made them overlap', [200, 403], [1, 3.4], [3, 5.2], ['users.unique']],
    ['the times are not rounded', [200, 403], [1.25, 3.4], [3.1, 5.3], []],
    ['the refused one was answered first', [400, 200], [0, 10], [0, 10], []],
  ] as const)(
    'of two creations of one name, one may be refused only at once: %s',
    (_, statuses, one, other, found) => {
      const trace = [one, other].map(([startedAt, endedAt], index) => ({
        ...exchangeOf(create('annabel').replace('-> 200', `-> ${statuses[index]}`), index),
        ...{ startedAt, endedAt },
      }))
      expect(judge(trace, knowledge).findings.map(({ rule }) => rule)).toEqual(found)
    },
  )
})

describe('a recording that accuses nobody', () => {
  const create10 = (name: string, more?: object) => create(name, more).replace('-> 200', '-> 200 {"id":10}')
  const made = (id: number, more: object) =>
    `admin POST /custom_fields/create ${JSON.stringify({ custom_field: { type: 'string', ...more } })} -> 200 {"id":${id}}`
  const plugins = (state: object) => `admin GET /plugins -> 200 ${JSON.stringify(state)}`
  const named = (...names: string[]) => plugins(names.map((name) => ({ name })))
  const simplified = (name: string, key: string) => [
    `admin GET /users/${encodeURIComponent(name)} -> 200 ${JSON.stringify({ key, login: name })}`,
    `admin GET /users/${encodeURIComponent(name)}/pages/edit -> 200 ${JSON.stringify({ login: name })}`,
  ]
  const marked = (...names: string[]) =>
    plugins(['Wiki', 'Graph', 'Gravatar'].map((name) => ({ name, installed: names.includes(name) })))
  const does = (change: string, name: string) => `admin POST /plugin/${name}/${change} -> 200`
  const resettable = (name: string, enabled: boolean, isProtected: boolean) =>
    page(name, { active: enabled ? 'yes' : 'no', can_reset: enabled && !isProtected })
  const flagged = (name: string, enabled: boolean, isProtected: boolean) => [
    create(name, { enabled, protected: isProtected }),
    resettable(name, enabled, isProtected),
  ]
  const joined = (name: string, id: number) =>
    `admin POST /users/${name}/projects {"project_ids":["${id}"],"access_level":"reporter"} -> 200`
  const inBoth = (name: string) =>
    `admin GET /users/${name} -> 200 ${JSON.stringify({ users: [{ enabled: 1, name, projects: [{ id: 1 }, { id: 2 }] }] })}`
  const counted = (name: string, ...items: readonly string[]) =>
    `admin GET /users/${name} -> 200 ${JSON.stringify({ users: [{ name, projects: { items, total: items.length } }] })}`
  const joins = (name: string, ...ids: readonly number[]) => [
    ...[create(name), inBoth(name), ...ids.map((id) => joined(name, id)), inBoth(name)],
  ]
  const defaults = '-> 200 {"version":"2.1","defaults":{"realname":""}}'
  const recent = (query: string, ...ids: readonly number[]) =>
    `admin GET /users/5${query} -> 200 ${JSON.stringify({ user: { id: 5, name: 'reporter', mail: 'r@x.org' }, recent: ids })}`
  const changed = (name: string, body: Readonly<Record<string, unknown>>, more: object = {}) => [
    update(name, body),
    page(name, { last: { to: Object.values(body)[0] }, ...more }),
  ]
  const pairs = (name: string, ...ids: readonly number[]) =>
    page(name, {
      attributes: [
        { name: 'level', value: 'high' },
        { name: 'projects', value: ids.length },
      ],
    })
  const saves = (id: number, columns: readonly string[], shown = columns) =>
    `admin POST /manage-columns ${JSON.stringify({ project: { id }, columns })} -> 200 ${JSON.stringify({ columns: shown })}`
  const reads = (id: number, columns: readonly string[]) =>
    `admin POST /manage-columns ${JSON.stringify({ project: { id } })} -> 200 ${JSON.stringify({ columns })}`
  const described = (name: string, flag: boolean) => ({
    facts: [
      { of: 'key', is: name },
      { of: 'protected', is: flag },
    ],
  })
  const inPairs = (help: boolean, wiki: boolean) =>
    plugins({ Helpdesk: described('Helpdesk', help), 'Wiki pages': described('Wiki', wiki) })
  const loaded = (order?: number) =>
    plugins({
      installed: { Wiki: { order: 2 }, ...(order && { Snippets: { order } }) },
      other: order ? {} : { Snippets: {} },
    })
  const table = (id: number, ...cells: readonly unknown[]) =>
    `admin GET /custom_fields -> 200 ${JSON.stringify({
      rows: [
        [3, 'Zone', 0, 'no'],
        [id, `field${id}`, ...cells],
      ],
    })}`
  const formerly = (name: string, flag: boolean, was?: boolean) =>
    page(name, {
      attributes: [
        { key: 'protected', value: flag ? 'yes' : 'no' },
        { key: 'theme', value: 'dark' },
      ],
      ...(was === undefined ? {} : { before: { protected: was } }),
    })
  run`
    the answer to an update shows the defaults of new users
      ${['anna', 'bert'].flatMap((name) => [create(name, { realname: 'One' }), ...[{ enabled: false }, { protected: true }, { realname: 'Two' }, { enabled: true }, { realname: 'Three' }, { protected: false }].map((body) => update(name, body, defaults))])}
    a selection shortens a list of what was changed
      ${['', '', '?select=name'].map((query) => `admin GET /users/5${query} -> 200 ${JSON.stringify({ name: 'reporter', changes: [{ of: 'name' }, ...(query ? [] : [{ of: 'mail' }])] })}`)}
    a list of other users changes while a member is selected
      ${[recent('', 3, 5), recent('', 3, 5), recent('?select=id', 5, 3)]}
    a user shows the last change alone
      ${[create('anna'), create('bert')]}
      ${['anna', 'bert'].flatMap((name) => [true, false, true].flatMap((flag) => changed(name, { client_preferred: flag })))}
      ${['anna', 'bert'].flatMap((name) => [{ realname: 'R' }, { language: 'german' }, { timezone: 'UTC' }, { access_level: 25 }, { email: 'a@x.org' }].flatMap((body) => changed(name, body)))}
    a text may stand in place of the projects that a user joined last
      ${['anna', 'bert', 'carl', 'dora'].flatMap((name) => [create(name), page(name), joined(name, 1), page(name, { to: [{ id: 1 }] }), ...[update(name, { realname: name }), page(name, { to: name })]])}
    a user has a number among its attributes, and it is the number of its projects
      ${['anna', 'bert', 'carl'].flatMap((name) => [create(name), pairs(name), joined(name, 1), pairs(name, 1), joined(name, 2), pairs(name, 1, 2)])}
    a user shows its former state beside a list of its attributes
      ${['anna', 'bert', 'carl'].flatMap((name) => [create(name, { protected: false }), formerly(name, false), update(name, { realname: 'A' }), formerly(name, false, false)])}
      ${['anna', 'bert', 'carl'].flatMap((name) => [update(name, { protected: true }), formerly(name, true, false), update(name, { realname: 'B' }), formerly(name, true, true), update(name, { protected: false }), formerly(name, false, true)])}
    a tracker keeps a plugin that may be protected
      ${['uninstall', 'install', 'uninstall'].flatMap((change) => [`admin POST /plugin/Help/${change} -> 200`, named('Help', 'Wiki')])}
    the order of loading tells of a plugin whether it is installed
      ${[3, undefined, 3, undefined, 3].flatMap((order) => [does(order ? 'install' : 'uninstall', 'Snippets'), loaded(order)])}
      admin PATCH /plugin/Snippets {"priority":1} -> 200
      ${loaded(1)}
    a language may be what a word stands for
      admin GET /users/pages/create -> 200 {"languages":["auto","german","french"]}
      ${['auto', 'german', 'french'].flatMap((language, at) => [create(`user${at}`, { language }), page(`user${at}`, { language: language === 'auto' ? 'english' : language })])}
      ${['german', 'french', 'german'].flatMap((language) => [update('user0', { language }), page('user0', { language })])}
    the rows of a table have numbers that are no ids of projects
      ${[11, 12, 13, 14, 15].flatMap((id) => [made(id, { name: `field${id}` }), table(id, 0), `admin PATCH /custom_fields/${id} {"custom_field":{"name":"field${id}","type":"string"},"projects":["1"]} -> 200`, table(id, id < 15 ? 1 : 0)])}
    a tracker may forbid changes of users with the level of the caller
      admin GET /users/pages/create -> 200 {"levels":[25,90]}
      ${[create('anna', { access_level: 25, enabled: true, protected: false }), update('anna', { realname: 'A' }), update('anna', { access_level: 90 }), update('anna', { realname: 'B' }, '-> 403')]}
    a tracker leaves out columns that it does not have, and has one list for all projects
      ${[1, 2, 1, 2].flatMap((id, at) => [saves(id, ['id', ['status', 'summary'][at % 2] ?? '']), reads(id, ['id', ['status', 'summary'][at % 2] ?? ''])])}
      ${[saves(2, ['id', 'nope'], ['id']), reads(1, ['id'])]}
    the attributes of plugins are lists of names and values
      ${[true, false, true].flatMap((flag) => [`admin PATCH /plugin/Helpdesk {"protected":${flag}} -> 200`, inPairs(flag, true)])}
      ${[false, true].flatMap((flag) => [`admin PATCH /plugin/Wiki {"protected":${flag}} -> 200`, inPairs(true, flag)])}
    the page of a user lists other users
      ${create('barnaby')}
      admin GET /users/12/pages/edit -> 200 {"user":{"name":"robert"},"seen":[{"name":"barnaby"},{"name":"robert"}]}
      admin PATCH /users/12 {"username":"roberta"} -> 200
      ${page('barnaby')}
    a token comes before a session, and its own page lists other users
      ${[create('annabel'), create('barnaby')]}
      ${['admin', 'admin', 'restricted', 'restricted'].map((one) => `${one} GET /me/account -> 200 {"name":"${one} person","real_name":"${one} real"}`)}
      admin PUT /users/annabel/impersonate -> 200
      session:1+administrator GET /me/account -> 200 {"name":"admin person","real_name":"admin real","seen":["barnaby"]}
    a flag tells that a user is enabled and not protected
      ${[flagged('anna', true, true), flagged('bert', true, false), flagged('carl', false, false)].flat()}
      ${[false, true, false].flatMap((flag) => ['anna', 'bert'].flatMap((name) => [update(name, { protected: flag }), resettable(name, true, flag)]))}
    a time of the last change was the same by chance
      ${[true, false, true, false].flatMap((flag, at) => ['anna', 'bert'].flatMap((name) => [...(at === 0 ? [create(name, {})] : []), update(name, { protected: flag }), page(name, { changed: `2026-11-29T11:03:3${flag ? 5 : 6}Z` })]))}
      ${[create('dora', { protected: true }), page('dora', { changed: '2026-11-29T11:03:37Z' })]}
    a list tells how many projects a user has
      ${['anna', 'bert', 'carl'].flatMap((name) => [create(name), counted(name), joined(name, 1), counted(name, 'Web'), joined(name, 2), counted(name, 'Web', 'App')])}
      ${[create('dora'), counted('dora'), joined('dora', 2), counted('dora', 'App')]}
    a flag of a user is the number of a project, and everybody is in all projects
      ${['anna', 'bert', 'carl'].flatMap((name) => joins(name, 1, 2))}
      ${joins('dora', 2)}
    a user keeps its name, and is addressed by the id that its creation told
      ${create10('gustav')}
      admin PATCH /users/10 {"username":"gustav"} -> 200
    a name with a capital is free until its creation is served
      admin GET /users/Newby -> 404
      ${create('Newby', { access_level: 12 }).replace('-> 200', '-> 400')}
      ${create('Newby', { access_level: 10 })}
      ${page('Newby')}
    a field has the name of another as its default value
      ${made(4, { name: 'Region' })}
      admin GET /custom_fields -> 200 [{"id":4,"name":"Region","default_value":""}]
      ${made(5, { name: 'Area', default_value: 'Region' })}
      admin GET /custom_fields -> 200 [{"id":5,"name":"Area","default_value":"Region"},{"id":4,"name":"Region","default_value":""}]
      admin GET /custom_fields -> 200 [{"id":5,"name":"Area","default_value":"Region"},{"id":4,"name":"Region","default_value":""}]
    two plugins change places
      ${[does('install', 'Wiki'), does('uninstall', 'Wiki')]}
      ${[marked('Gravatar'), does('install', 'Wiki'), does('uninstall', 'Gravatar'), marked('Wiki')]}
    the user behind a token is raised
      admin PATCH /users/robert {"access_level":90} -> 200
      restricted POST /custom_fields/create {"custom_field":{"name":"colour","type":"string"}} -> 200
      restricted GET /plugins -> 200 []
    the user behind a token is disabled, and no page shows who it is
      admin GET /me/account -> 200 {"language":"english","theme":"dark"}
      restricted GET /me/account -> 200 {"language":"english","theme":"light"}
      admin PATCH /users/robert {"enabled":false} -> 200
      restricted GET /me/account -> 403
    a token that an impersonation has changed does not find a user
      admin PUT /users/gustav/impersonate -> 200
      admin GET /users/locked -> 404
      somebody:2 GET /plugins -> 200
      somebody:2 PATCH /users/locked {"realname":"L"} -> 200
    a token that an impersonation has changed may ask for less after a lost body
      admin PUT /users/gustav/impersonate -> 200
      admin POST /manage-columns LOST -> 200
      admin GET /plugins -> 403
    a name that no path bears as it is
      ${[create('oddly'), 'admin GET /users/10 -> 200 {"id":10,"name":"oddly"}']}
      admin PATCH /users/10 {"username":"o'neill"} -> 200
      admin GET /users/10 -> 200 {"id":10,"name":"o'neill"}
      admin GET /users/oddly -> 404
    a real name that is the name in capitals
      ${create('bertram', { realname: 'BERTRAM' })}
      admin GET /users/BERTRAM -> 200 {"name":"bertram","realname":"BERTRAM"}
    a name that is a number may be read as an id
      ${users.map((name) => create(name, { realname: `R ${name}` }))}
      ${users.map((name, id) => page(name, { id: id + 20, realname: `R ${name}` }))}
      ${create('12', { realname: 'Twelve' })}
      admin GET /users/12 -> 200 {"id":12,"name":"gustav","realname":"G"}
    what another person may not see is masked
      ${users.flatMap((name) => [create(name, { realname: `R ${name}` }), page(name, { realname: `R ${name}` })]).map((line) => line.replace('admin', 'unknown'))}
      ${page('annabel', { realname: '***' }).replace('admin', 'unknown')}
    a blank address may stand for none
      ${update('rita', { email: ' ' })}
    a name without its accents is a member of its own
      ${users.flatMap((name) => [create(name), ...simplified(name, name)])}
      ${['jörg-one', 'käthe-two'].flatMap((name) => [create(name), ...simplified(name, name.replace(/[äö]/, 'o'))])}
    who is disabled loses its address
      ${users.flatMap((name) => [create(name), page(name, { email: `${name}@example.org` })])}
      ${[update('annabel', { enabled: false }), page('annabel', { email: '' })]}
      ${update('bertram', { enabled: false })}
      ${page('bertram', { email: 'others@example.org' })} => stored updateUser
    a plugin of the tracker itself is never changed
      ${does('install', 'Core')}
      admin PATCH /plugin/Core {"protected":false} -> 403
      admin PATCH /plugin/Core {"protected":true} -> 403
    who is behind a token may impersonate itself
      somebody:1 PUT /users/robert/impersonate -> 200
      somebody:2 PATCH /users/robert {"enabled":true} -> 200
      somebody:1 PUT /users/robert/impersonate -> 200
      somebody:2 PUT /users/robert/impersonate -> 400
    a reset may leave a user disabled and hidden
      ${[create('annabel', { enabled: true, protected: false }), update('annabel', { enabled: false })]}
      admin GET /users/annabel -> 404
      admin PUT /users/annabel/reset -> 200
      admin GET /users/annabel -> 404
      admin GET /users/annabel -> 404
    a field with the id of a deleted one is deleted
      ${[made(31, { name: 'Alpha' }), 'admin GET /custom_fields -> 200 [{"id":31,"name":"Alpha"},{"id":17,"name":"Zone"}]', 'admin DELETE /custom_fields/31 -> 200']}
      ${[made(31, { name: 'Gamma' }), 'admin GET /custom_fields -> 200 [{"id":17,"name":"Zone"},{"id":31,"name":"Gamma"}]', 'admin DELETE /custom_fields/31 -> 200']}
      admin GET /custom_fields -> 200 [{"id":17,"name":"Zone"}]
    another page of the list does not show a name
      admin GET /custom_fields?page=2 -> 200 []
      admin PATCH /custom_fields/35 {"custom_field":{"name":"Customer","type":"string"}} -> 404
      admin GET /custom_fields -> 200 [{"id":17,"name":"Customer"}]
    the names of two users differ in capitals alone
      ${users.flatMap((name) => [create(name, { realname: `R ${name}` }), page(name, { realname: `R ${name}` })])}
      ${[page('leopold', { id: 7, realname: 'First' }), create('Leopold', { realname: 'Second' })]}
      ${[page('Leopold', { id: 8, realname: 'Second' }), page('7', { id: 7, name: 'leopold', realname: 'First' })]}
    two callers may have tokens of one name
      admin GET /me/tokens -> 200 {"tokens":[{"id":1,"name":"SECRET.7"}],"user":"root"}
      restricted GET /me/tokens -> 200 {"tokens":[{"id":1,"name":"SECRET.7"}],"user":"rep"}
    a recipient by another form of its id
      admin DELETE /helpdesk/recipient/03 -> 200
      admin DELETE /helpdesk/recipient/3 -> 404
    a name that another has whose end was cut
      admin GET /custom_fields -> 200 [{"id":3,"name":"Zone"}]
      ${field(`${'x'.repeat(64)}one`)}
      ${field(`${'x'.repeat(64)}two`, '-> 400')}
      admin GET /custom_fields -> 200 [{"id":3,"name":"Zone"},{"id":4,"name":"${'x'.repeat(64)}"}]
  `
})

test.each([
  ['admin GET /plugins -> 200 []', 'success', { outcome: 'passed', count: 1 }],
  ['unknown GET /plugins -> 403', 'success', { outcome: 'not judgeable', why: expect.stringMatching(/./) }],
  ['restricted GET /plugins -> 302', 'permission', { why: expect.stringContaining('No answer') }],
])('after %s the verdict of %s is %o', (line, rule, verdict) => {
  const { verdicts } = judge([exchangeOf(line, 0)], knowledge)
  const own = verdicts.find((one) => one.rule === rule && one.operation === 'listPlugins')
  expect(own).toMatchObject(verdict)
})

test.each([
  [
    'a selection that is ignored',
    'selected',
    ['never exercised'],
    [page('reporter'), selected('?select=id', 'R', true)],
  ],
  [
    'a creation after which the list grows by another field',
    'listed.new',
    ['never exercised'],
    [listed('one1', 'two2'), field('colour', '-> 200', { projects: ['1'] }), listed('one1', 'two2', 'other')],
  ],
])('after %s, %s is %o', (_, rule, outcome, lines) => {
  const { verdicts } = judge(lines.map(exchangeOf), knowledge)
  const outcomes = verdicts.filter((one) => one.rule === rule).map((one) => one.outcome)
  expect([...new Set(outcomes)].sort()).toEqual(outcome)
})

knowing({ projects: [] })`
    a list shows no field without a project
      ${[listed('colour', 'size'), field('weight')]}
      ${listed('colour', 'size')}
      ${field('height', '-> 200', { projects: ['1'] })}
      ${listed('colour', 'size', 'height')}
`

knowing({ notImplemented: ['listPlugins'] })`
    operations that the tracker does not have are not judged
      admin GET /plugins -> 500
      admin GET /me/account -> 500 => status getAccountPage
`

test('each rule has a statement, a section and operations', () => {
  for (const { statement, section, operations } of rules.values()) {
    expect(statement).toMatch(/\.$/)
    expect(section).toMatch(/^\d(\.\d)?$/)
    expect(operations.length).toBeGreaterThan(0)
  }
})

describe('a few exchanges of a client', () => {
  const shown = (id: number, name: string, realname: string) =>
    `admin GET /users/${id} -> 200 {"user":{"id":${id},"name":"${name}","real_name":"${realname}"}}`
  const renamed = (id: number, name: string, first: readonly string[], last: string) => [
    create(name, { realname: `${name} One` }),
    ...first.map((realname) => shown(id, name, realname)),
    `admin PATCH /users/${id} {"realname":"${name} Two"} -> 200 {"user":{"id":${id},"name":"${name}"}}`,
    shown(id, name, last),
  ]
  run`
    two updates after which the first text is read
      ${renamed(13, 'emil', [], 'emil One')} => stored updateUser #3
      ${renamed(14, 'dora', [], 'dora One')} => stored updateUser #6
    everybody has the same tokens
      ${[tokens('admin', 1, 7), tokens('restricted', 1, 7)]} => own-page getTokensPage #1
    the administrator is shown the tokens of others too
      ${[tokens('admin', 1, 7), tokens('restricted', 7)]}
    the edit page of everybody is that of the caller, with the time of its last visit
      ${account('admin', 'adam","mail":"adam@x.org')} => own-record getUserEditPage #4
      ${['annabel', 'berthold', 'caroline'].flatMap((name, index) => [create(name), page(name), page(`${name}/pages/edit`, { name: 'adam', mail: 'adam@x.org', seen: `10:0${index}` })])}
    each user is answered with the one of the profile
      ${['annabel', 'berthold', 'caroline'].flatMap((name) => [create(name), `admin GET /users/${name}/pages/edit -> 200 {"name":"${name}"}`, `admin GET /users/${name} -> 200 {"id":5,"name":"reporter"}`])} => own-record getUser #3
    a refused creation of what was there before
      admin POST /users ${user('annabel')} -> 400
      ${[page('annabel'), field('colour', '-> 400')]}
      ${listed('colour')}
    a name beyond the limit stands in an ordered list
      admin POST /custom_fields/create {"custom_field":{"name":"${'x'.repeat(65)}","type":"string"}} -> 200
      admin GET /custom_fields?sort_by=id -> 200 [{"id":10,"name":"${'x'.repeat(65)}"}] => listed.refused createCustomField
    a flag under its own name that an update does not change
      ${[create('annabel', { enabled: true }), page('annabel', { enabled: true })]}
      ${update('annabel', { enabled: false })}
      ${page('annabel', { enabled: true })} => stored updateUser #4
  `
})

describe('lists and saved columns over time', () => {
  const plugins = (...names: string[]) =>
    `admin GET /plugins -> 200 ${JSON.stringify(names.map((name) => ({ name, version: '1.0', title: name })))}`
  const framed = (...names: string[]) =>
    `admin GET /plugins -> 200 ${JSON.stringify([{ plugins: names.map((name) => ({ name })) }])}`
  const put = (op: string, status = 200) => `admin POST /plugin/Snippets/${op} -> ${status}`
  const columns = (body: object, shown: readonly string[]) =>
    `admin POST /manage-columns ${JSON.stringify({ project: { id: 1 }, type: 'view', ...body })} -> 200 ${JSON.stringify({ columns: shown })}`
  const twos = [['id', 'status'], ['status', 'id'], ['id']]
  const threes = ['id status date', 'date status id', 'status id date'].map((order) => order.split(' '))
  const mixed = [...threes, ['status', 'date']]
  /** Users are disabled and enabled; their edit pages show it, and their records show `more` beside the name. */
  const enabledThroughout = (more: (name: string) => object) =>
    ['annabel', 'bertram', 'cornelia'].flatMap((name) => [
      create(name, { enabled: true }),
      ...[false, true].flatMap((enabled) => [
        update(name, { enabled }),
        page(`${name}/pages/edit`, { enabled }),
        page(name, more(name)),
      ]),
    ])
  /** Fields in one project or the other: pages show the project, and the list `shown`. */
  const fieldsInProjects = (shown: unknown) =>
    ['colour', 'weight', 'height', 'length'].flatMap((name, index) => {
      const [id, project] = [index + 10, (index % 2) + 1]
      const ownPage = `admin GET /custom_fields/${id}/pages/update -> 200 ${JSON.stringify({ name, projects: [{ id: project }] })}`
      const created = field(name, `-> 200 {"id":${id}}`, { projects: [String(project)] })
      return [created, ownPage, fields('', [{ id, name, projects: shown }]), ownPage]
    })
  let at = 0
  const near = ['id sum cat', 'cat sum id', 'sum cat'].map((order) => order.split(' '))
  const saving = (read: (order: readonly string[]) => readonly string[], orders = twos) =>
    orders.flatMap((order) => [columns({ columns: order }, read(order)), columns({}, read(order))])
  const fields = (query: string, records: readonly object[]) =>
    `admin GET /custom_fields${query} -> 200 ${JSON.stringify(records)}`
  const ordered = (records: readonly object[]) => fields('?sort_by=name&sort_order=desc', records)
  const numbered = (names: readonly string[], first = 10) =>
    names.map((name, id) => ({ id: id + first, name }))
  const counted = (ids: readonly number[], more: object, query = '') =>
    fields(
      query,
      ids.map((id) => ({ id, name: `field ${id}`, ...more })),
    )
  /** A list before and after a creation. */
  const grown = (created: string, ...names: string[]) => {
    const three = ['alpha', 'bravo', 'charlie']
    return [listed(...three), created, listed(...three, ...names)]
  }
  const five = ['alpha', 'bravo', 'charlie', 'delta', 'echo']
  run`
    an ordered list changes a record
      ${counted([10, 11], { type: 'list' })}
      ${counted([10, 11], { type: 'list' })}
      ${counted([10, 11], { type: 'text' }, '?sort_by=name')} => ordered listCustomFields
    a record counts how often it was read
      ${counted([10, 11], { reads: 1 })}
      ${counted([10, 11], { reads: 2 })}
      ${counted([10, 11], { reads: 3 }, '?sort_by=name')}
    a list has its records under their ids
      admin GET /custom_fields -> 200 {"10":{"name":"colour"},"11":{"id":11,"name":"size"},"12":{"id":12,"name":"weight"}}
      admin GET /custom_fields?sort_by=name -> 200 {"11":{"id":11,"name":"size"},"10":{"name":"colour"}} => ordered listCustomFields
    a record tells the second in which it was read
      ${counted([10, 11], { read: '2026-11-27T10:00:00Z' })}
      ${counted([10, 11], { read: '2026-11-27T10:00:00Z' })}
      ${counted([10, 11], { read: '2026-11-27T10:00:01Z' }, '?sort_by=name')}
    an installation lists a plugin a second time
      ${plugins('Core')}
      ${create('annabel')}
      ${put('install')}
      ${plugins('Core', 'Core')} => once installPlugin
    the list is to blame where the plugin can be changed
      ${plugins('Helpdesk')}
      ${put('install')}
      ${plugins('Helpdesk')} => listed.plugins listPlugins
      admin PATCH /plugin/Snippets {"protected":false} -> 200
    another plugin is lost for good
      ${plugins('Helpdesk', 'Source')}
      ${put('install')}
      ${plugins('Helpdesk', 'Snippets')} => listed.plugins installPlugin
      ${put('uninstall')}
      ${plugins('Helpdesk')}
    a plugin that is listed only while it is not installed
      ${plugins('Helpdesk', 'Snippets')}
      ${put('install')}
      ${plugins('Helpdesk')} => listed.plugins listPlugins
      ${put('uninstall')}
      ${plugins('Helpdesk', 'Snippets')}
    the list is in a frame
      ${framed('Helpdesk')}
      ${put('install')}
      ${framed('Helpdesk', 'Snippets')}
    an uninstallation removes another plugin
      ${plugins('Helpdesk', 'Source')}
      ${put('install')}
      ${plugins('Helpdesk', 'Snippets', 'Source')}
      ${put('uninstall')}
      ${plugins('Helpdesk', 'Snippets')} => listed.plugins uninstallPlugin
    the same columns whatever is saved, in answers that have a number of their own
      ${twos.flatMap((order) => [order, undefined, undefined].map((columns) => `admin POST /manage-columns ${JSON.stringify({ project: { id: 1 }, columns })} -> 200 {"columns":["id","status"],"at":${++at}}`)).join('\n      ')} => saved manageColumns #2
    the last column is lost
      ${saving((order) => order.slice(0, -1), mixed)} => saved manageColumns #2
    a tracker may have room for two columns
      ${saving((order) => order.slice(0, 2), mixed)}
    a tracker may not show a column
      ${saving((order) => order.filter((one) => one !== 'id'), mixed)}
    a type that the tracker does not know stands for another, and the lists of both are one
      ${saving((order) => order, threes)}
      ${threes.map((order) => [columns({ type: 'odd', columns: order }, order), columns({}, order), columns({ columns: threes[0] }, threes[0] ?? []), columns({ type: 'odd' }, threes[0] ?? [])].join('\n      ')).join('\n      ')}
    a list has no projects of fields
      ${fieldsInProjects(undefined)}
    the record of each user is enabled throughout
      ${enabledThroughout(() => ({ enabled: true }))} => stored getUser #4, stored getUser #11, stored getUser #18
    an earlier state of each user was enabled
      ${enabledThroughout((name) => ({ before: { name, enabled: true } }))}
    the page of a field is that of another field
      admin GET /custom_fields -> 200 [{"id":3,"name":"severity"},{"id":9,"name":"colour"}]
      admin GET /custom_fields/9/pages/update -> 200 {"form":{"id":3,"name":"severity"},"types":[1,9]} => own-record.listed getCustomFieldUpdatePage
    the page of a field names no field, or those beside it, too
      admin GET /custom_fields -> 200 [{"id":3,"name":"severity"},{"id":9,"name":"colour"}]
      admin GET /custom_fields/9/pages/update -> 200 {"type":3}
      admin GET /custom_fields/9/pages/update -> 200 [{"id":9,"name":"Colour"},{"id":3,"name":"severity"}]
    columns in the order of their names, though one column of each list could have moved
      ${saving((order) => order.toSorted(), near)} => saved manageColumns #2
    two columns, of which one always comes first
      ${saving((order) => order.toSorted(), twos)}
    a new field is missing from a list that has had room for more
      ${grown(field('foxtrot', '-> 200', { projects: ['1'] }))} => listed.new createCustomField
      ${listed('alpha', 'bravo', 'charlie', 'golf')}
    of several new fields a list shows none, or one in the place of another
      ${listed(...five)}
      ${[ordered(numbered(five).toReversed()), field('foxtrot'), field('golf', '-> 200', { projects: ['1'] })]}
      ${listed(...five)} => listed.new createCustomField
      ${[field('hotel', '-> 200', { projects: ['1'] }), field('india', '-> 200', { projects: ['1'] })]}
      ${listed('alpha', 'bravo', 'charlie', 'delta', 'hotel')}
    a list may have only fields with projects
      ${[listed(...five), listed('alpha', 'bravo', 'charlie'), field('foxtrot'), listed('alpha', 'bravo', 'charlie')]}
    a new field is listed with the beginning of its name
      ${grown(field('foxtrot and golf', '-> 200 {"name":"foxtrot an"}'), 'foxtrot an')} => listed.new createCustomField
    a tracker may cut a name that is too long
      ${grown(field('f'.repeat(70), `-> 200 {"name":"${'f'.repeat(64)}"}`), 'f'.repeat(64))}
    a list may shorten a name
      ${grown(field('foxtrot and golf', '-> 200 {"name":"foxtrot and golf"}'), 'foxtrot an')}
    a new field is in the list twice
      ${grown(field('foxtrot'), 'foxtrot', 'foxtrot')} => listed.new createCustomField
    a new field is in a list twice that was empty
      ${[listed(), field('foxtrot', '-> 200', { projects: ['1'] }), listed('foxtrot', 'foxtrot')]} => listed.new createCustomField
    a list has a new field once for each of its projects
      ${listed(...five)}
      ${grown(field('foxtrot', '-> 200', { projects: ['1', '2'] }), 'foxtrot', 'foxtrot')}
    a new field is on another page of the list
      ${listed(...five)}
      ${ordered(numbered(['zulu', 'yankee', 'x-ray', 'whiskey', 'victor'], 30))}
      ${field('foxtrot')}
      ${listed(...five)}
  `
  knowing({ customField: { type: 'string' } })`
  `
})

test('an undocumented answer is shown with the statuses that the request may have', () => {
  const trace = ['admin GET /users/reporter -> 500', 'stranger GET /users/reporter -> 500']
  const { findings } = judge(trace.map(exchangeOf), knowledge)
  expect(findings.map(({ rule, allowed }) => [rule, allowed])).toEqual([
    ['status', [200]],
    ['status', [401]],
  ])
})

test.each([
  ['permission', 'permission updateUser'],
  ['status', undefined],
])('what comes after a finding of the rule %s follows from: %s', (rule, follows) => {
  const about = { level: 'must', section: '', statement: '', seen: '', evidence: 1 } as const
  const cause = { ...about, rule, operation: 'updateUser', n: 3, allowed: [403], witnesses: [] } as const
  const later = {
    ...about,
    rule: 'stored',
    operation: 'getUser',
    n: 4,
    allowed: [],
    witnesses: [did(3, '')],
  } as const
  expect(withCauses([cause, later])[1]?.follows).toBe(follows)
})
