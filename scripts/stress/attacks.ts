/** Random requests that no client should send. */
import { operations, type Profile } from '../../conformance/contract/index.js'

export interface Attack {
  readonly kind: string
  /** Written in order, with pauses between them. */
  readonly parts: readonly (string | Buffer)[]
  /** What the client does afterwards: wait until the server ends the connection, end its own side, or leave at once. */
  readonly after: 'wait' | 'end' | 'leave'
}

type Draw = { pick<T>(choices: readonly T[]): T; upTo(limit: number): number; authorization: string }

const MIB = 1024 * 1024
const ROOT = '/api/rest/plugins/Ext'

const named: Record<string, string> = { user_id: 'nina', plugin_name: 'Snippets' }
const targets = operations.map(({ method, path }): readonly [method: string, path: string] => [
  method,
  path.replace(/\{(\w+)\}/, (_, name: string) => named[name] ?? '1'),
])

const controls: readonly (readonly [method: string, path: string])[] = [
  ['PUT', 'state'],
  ['PATCH', 'decisions'],
  ['POST', 'clock'],
  ['POST', 'faults'],
  ['POST', 'inspector/replay'],
]

const head = (line: string, ...headers: string[]) =>
  `${[line, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`
const json = 'Content-Type: application/json'
const close = 'Connection: close'
const waiting = (...parts: (string | Buffer)[]) => ({ parts, after: 'wait' as const })

/** A complete request with a body. */
function posted(draw: Draw, body: string | Buffer, ...headers: string[]) {
  const [method, path] = draw.pick(targets)
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  return [
    head(`${method} ${ROOT}${path} HTTP/1.1`, draw.authorization, json, length, ...headers),
    body,
  ] as const
}

const bytes = (draw: Draw, length: number) => Buffer.from(Array.from({ length }, () => draw.upTo(256)))
const nested = (depth: number, open: string, inner: string, end: string) =>
  open.repeat(depth) + inner + end.repeat(depth)

const odd: readonly unknown[] = [
  null, true, -1, 0, 1e308, 2 ** 53, '', ' ', '\0', '\ud800', '__proto__', 'constructor', 'toString', '../../etc/passwd',
  '%00', "' OR 1=1 --", '<script>', 'x'.repeat(300), 'a@b', [], {}, [[]], [null], { id: null }, { id: '__proto__' },
] // biome-ignore format: a list of odd values

const members = [
  'username', 'email', 'realname', 'password', 'password_current', 'access_level', 'enabled', 'protected', 'language',
  'timezone', 'avatar', 'configs', 'project_ids', 'custom_field', 'projects', 'priority', 'project', 'type', 'columns',
  '__proto__', 'constructor', 'hasOwnProperty', 'toJSON', 'then', '',
] // biome-ignore format: a list of names

function oddBody(draw: Draw): string {
  const inner = () =>
    `{${Array.from({ length: draw.upTo(5) }, () => `${JSON.stringify(draw.pick(members))}:${JSON.stringify(draw.pick(odd))}`).join(',')}}`
  return draw.pick([
    inner(),
    `[${inner()}]`,
    `{"custom_field":${inner()}}`,
    `{"configs":[${inner()}]}`,
    JSON.stringify(draw.pick(odd)),
  ])
}

const segments = [
  '%00', '%zz', '%', '%c0%ae', '%ed%a0%80', '%2e%2e', '..', '.', '%2f', '//', '\\', '#', ';', '__proto__', 'constructor',
  'a'.repeat(2000), '%F0%9F%92%A9', '9'.repeat(400), '-0', '1e3', 'é', '\u2028', '',
] // biome-ignore format: a list of parts of paths

const kinds: Readonly<Record<string, readonly [weight: number, make: (draw: Draw) => Omit<Attack, 'kind'>]>> = {
  'broken request line': [8, (draw) => waiting(`${draw.pick(['NONSENSE', 'GET', 'GET /', ' GET / HTTP/1.1', 'GET / HTTP/9.9', 'GET / HTTX/1.1', '\0\0\0', 'get / http/1.1', 'PRI * HTTP/2.0\r\n\r\nSM', '\x16\x03\x01\x02\x00'])}\r\n\r\n`)],
  'bytes by chance': [6, (draw) => ({ parts: [bytes(draw, 1 + draw.upTo(400))], after: 'end' })],
  'flood of headers': [4, (draw) => waiting(head(`GET ${ROOT}/plugins HTTP/1.1`, close, ...Array.from({ length: draw.pick([100, 1900, 2500, 5000]) }, (_, n) => `X-${n}: ${n}`)))],
  'huge header': [3, (draw) => waiting(head(`GET ${ROOT}/plugins HTTP/1.1`, close, `X: ${'x'.repeat(draw.pick([8000, 17_000, 70_000]))}`))],
  'odd header': [6, (draw) => waiting(head(`GET ${ROOT}/me/account HTTP/1.1`, close, draw.pick(['Authorization:', 'Authorization: Bearer', 'Authorization: Bearer \xff\xfe', 'Authorization: Bearer a, Bearer b', 'Cookie: tracker_session=', 'Cookie: =;;;=', 'X-Tracker-Instance: ../..', 'X-Tracker-Instance: __proto__', `X-Tracker-Instance: a${draw.upTo(300)}`, 'X-Mantis-Username: __proto__', 'Host: other', 'Origin: null', 'X: a\0b', 'no colon', ': empty'])))],
  'wrong length': [6, (draw) => ({ parts: [head(`POST ${ROOT}/users HTTP/1.1`, draw.authorization, json, `Content-Length: ${draw.pick(['100', '99999999', '1e3', '-1', '0x10', '9'.repeat(30), 'many', '1, 2'])}`), '{"username":"otto"}'], after: draw.pick(['end', 'leave']) })],
  'body longer than announced': [3, (draw) => waiting(head(`POST ${ROOT}/users HTTP/1.1`, draw.authorization, json, 'Content-Length: 3'), `{"username":"otto"}\r\n\r\n`)],
  'rubbish chunks': [6, (draw) => ({ parts: [head(`POST ${ROOT}/users HTTP/1.1`, draw.authorization, json, 'Transfer-Encoding: chunked', ...(draw.upTo(3) ? [] : ['Content-Length: 5'])), draw.pick(['xyz\r\n', 'fffffffffffffffff\r\n', '-1\r\n', '5\r\nab', '2\r\n{}\r\n', '2;a=b\r\n{}\r\n0\r\nTrailer: x\r\n\r\n', '0\r\n\r\n0\r\n\r\n'])], after: draw.pick(['end', 'leave']) })],
  'slow body': [1, (draw) => {
    const [start, body] = posted(draw, oddBody(draw), close)
    return waiting(start, ...[...Buffer.from(body)].slice(0, 12).map((byte) => Buffer.of(byte)), Buffer.from(body).subarray(12))
  }],
  'slow headers': [1, (draw) => ({ parts: ['GET ', ROOT, '/me/account', ' HTTP/1.1\r\n', 'Host: ', 'x'], after: draw.pick(['end', 'leave']) })],
  'pipelined': [5, (draw) => waiting(Array.from({ length: 1 + draw.upTo(20) }, () => posted(draw, oddBody(draw)).join('')).join('') + head(`GET ${ROOT}/plugins HTTP/1.1`, close))],
  'pipelined and left': [4, (draw) => ({ parts: [Array.from({ length: 1 + draw.upTo(20) }, () => posted(draw, oddBody(draw)).join('')).join('')], after: 'leave' })],
  'early close': [8, (draw) => {
    const whole = posted(draw, oddBody(draw)).join('')
    return { parts: [whole.slice(0, draw.upTo(whole.length))], after: 'leave' }
  }],
  'invalid UTF-8': [6, (draw) => waiting(...posted(draw, Buffer.concat([Buffer.from('{"username":"'), bytes(draw, 1 + draw.upTo(20)), Buffer.from('"}')]), close))],
  'odd values': [40, (draw) => waiting(...posted(draw, oddBody(draw), close))],
  'not quite JSON': [8, (draw) => {
    const body = oddBody(draw)
    return waiting(...posted(draw, body.slice(0, draw.upTo(body.length + 1)) + draw.pick(['', ',', '}', '\0', '//']), close))
  }],
  'deep JSON': [3, (draw) => waiting(...posted(draw, draw.pick([nested(10_000, '[', '', ']'), nested(10_000, '{"a":', '1', '}'), nested(512, '[', '', ']'), `{"username":${nested(10_000, '[', '', ']')}}`, '['.repeat(MIB)]), close))],
  'wide JSON': [0.3, (draw) => waiting(...posted(draw, draw.pick([`[${'1,'.repeat(100_000)}1]`, `{"columns":[${'1,'.repeat(50_000)}1]}`, `{"configs":[${'1,'.repeat(20_000)}1]}`, `{${Array.from({ length: 30_000 }, (_, n) => `"k${n}":1`).join(',')}}`]), close))],
  'a body of 1 MiB': [0.5, (draw) => waiting(...posted(draw, `{"avatar":"${'x'.repeat(MIB - 13)}"}`, close))],
  'a body of 1 MiB and a byte': [0.5, (draw) => waiting(...posted(draw, `{"avatar":"${'x'.repeat(MIB - 12)}"}`, close))],
  'odd path': [25, (draw) => {
    const path = Array.from({ length: 1 + draw.upTo(4) }, () => draw.pick([...segments, 'users', 'custom_fields', 'plugin', 'nina', 'install'])).join('/')
    const query = draw.pick(['', '', '?', '?%', '?select=__proto__', `?select=${'id,'.repeat(500)}`, '?sort_by=constructor&sort_order=toString', '?select[]=a&select=b'])
    return waiting(head(`${draw.pick(['GET', 'DELETE', 'HEAD', 'OPTIONS'])} ${draw.pick([ROOT, ROOT, '/api/rest', '', '/i/x/api/rest/plugins/Ext', 'http://tracker.test/api/rest/plugins/Ext'])}/${Buffer.from(path).toString('latin1')}${query} HTTP/1.1`, draw.authorization, close))
  }],
  'huge URL': [3, (draw) => waiting(head(`GET ${ROOT}/users/${'a'.repeat(draw.pick([4000, 15_000, 17_000, 100_000]))} HTTP/1.1`, close))],
  'odd method': [6, (draw) => waiting(head(`${draw.pick(['TRACE', 'CONNECT', 'PROPFIND', 'M-SEARCH', 'FETCH', 'LOCK', 'PUT', 'OPTIONS', 'HEAD', 'QUERY', 'PURGE'])} ${ROOT}/users/nina HTTP/1.1`, draw.authorization, close))],
  'expectations and upgrades': [5, (draw) => waiting(head(`GET ${ROOT}/me/account HTTP/1.1`, draw.authorization, ...draw.pick([['Expect: a-wonder', close], ['Expect: 100-continue', close], ['Connection: Upgrade, close', 'Upgrade: websocket', 'Sec-WebSocket-Key: x'], ['Connection: Upgrade, HTTP2-Settings, close', 'Upgrade: h2c', 'HTTP2-Settings: x']])))],
  'control plane': [6, (draw) => {
    const [method, path] = draw.pick(controls)
    const body = draw.pick([oddBody(draw), nested(20_000, '[', '', ']'), '{"schema":"tracker-kit/state@1"}', '{"advance":1e308}', '{"advance":"9e99y"}', '{"sequence":1e308}', '{"learned-answers":[[[]]]}', '{"status":-1}', '{"as":null,"method":"TRACE","path":"/x","body":null}', '{"as":null,"method":"G T","path":"//[","body":"x"}', '{"as":"__proto__","method":"GET","path":"/x","body":null}'])
    return waiting(head(`${method} /__tracker/${path} HTTP/1.1`, json, close, `Content-Length: ${Buffer.byteLength(body)}`), body)
  }],
} // biome-ignore format: a table

const table = Object.entries(kinds)
const total = table.reduce((sum, [, [weight]]) => sum + weight, 0)

/** The next random attack. */
export function attackOf(random: () => number, { tokens }: Profile): Attack {
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T
  const token = pick([tokens.administrator, tokens.administrator, tokens.restricted ?? '', 'nobody'])
  const authorization = `Authorization: Bearer ${token}`
  const draw: Draw = { pick, upTo: (limit) => Math.floor(random() * limit), authorization }
  let left = random() * total
  for (const [kind, [weight, make]] of table) {
    left -= weight
    if (left < 0) return { kind, ...make(draw) }
  }
  return attackOf(random, { tokens } as Profile)
}
