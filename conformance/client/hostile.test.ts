/**
 * The program against a target that means harm, or is out of its mind: it ends in bounded time with a verdict in a few
 * words, and its token goes nowhere else.
 */
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createTracker } from '../../emulator/index.js'
import { answering } from '../../fixtures/answering.js'
import { temporaryFiles } from '../../fixtures/folder.js'
import { run } from '../../fixtures/program.js'
import { reportSchema } from '../report/report.js'

const { file, write } = temporaryFiles()
const tracker = await createTracker()

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const MEGABYTE = 1024 * 1024
const json = { 'content-type': 'application/json' }

/** Goes on for as long as somebody listens. */
function endless(stream: Writable, chunk: string): void {
  const more = () => {
    while (!stream.destroyed && stream.write(chunk));
    if (!stream.destroyed) stream.once('drain', more)
  }
  more()
}

const sends =
  (headers: Record<string, string>, body: string | Buffer): Answer =>
  (_, response) =>
    void response.writeHead(200, headers).end(body)
const inGzip = { ...json, 'content-encoding': 'gzip' }

const behaviours: Readonly<Record<string, Answer>> = {
  'a body without an end': (_, response) => endless(response.writeHead(200, json), 'x'.repeat(64 * 1024)),
  'a body that drips': (_, response) => {
    response.writeHead(200, json)
    const drip = setInterval(() => response.write(' '), 50)
    response.on('close', () => clearInterval(drip))
  },
  'no answer at all': () => undefined,
  'what is no HTTP': (_, { socket }) => void socket?.end('SSH-2.0-OpenSSH_9.6\r\n'),
  'a bomb in gzip': sends(inGzip, gzipSync(Buffer.alloc(200 * MEGABYTE, ' '))),
  'JSON with 200,000 levels': sends(json, `${'['.repeat(2e5)}${']'.repeat(2e5)}`),
}

async function serving(answer: Answer): Promise<string> {
  const server = createServer(answer)
  server.on('clientError', (_, socket) => socket.destroy())
  return `${await answering(server)}/api/rest`
}

let count = 0

async function checked(answer: Answer, ...more: string[]) {
  count += 1
  const profile = write(`${count}.json`, tracker.profileFor(await serving(answer)))
  const out = file(`out-${count}`)
  const ended = await run('check', '--profile', profile, '--timeout', '250', '--out', out, ...more)
  const report = reportSchema.parse(JSON.parse(await readFile(join(out, 'report.json'), 'utf8')))
  return { ...ended, report }
}

function isJudged({ code, err, report }: Awaited<ReturnType<typeof checked>>): void {
  expect([1, 3]).toContain(code)
  expect(err).not.toMatch(/^\s+at /m)
  expect(report.summary.verdict).not.toBe('conforms')
  expect(JSON.stringify(report)).not.toContain('the suite itself')
}

test.each(Object.entries(behaviours))('a target that answers everything with %s', async (_, answer) => {
  isJudged(await checked(answer, '--safety', 'read', '--max-requests', '4'))
})

test('a redirection is judged and not followed, so that no token goes elsewhere', async () => {
  const visitors: (string | undefined)[] = []
  const elsewhere = await serving(({ headers }, response) => {
    visitors.push(headers.authorization)
    response.writeHead(200, json).end('[]')
  })
  const redirecting: Answer = ({ url }, response) =>
    void response.writeHead(307, { location: elsewhere + url }).end()
  expect((await checked(redirecting, '--safety', 'destructive')).code).not.toBe(0)
  expect(visitors).toEqual([])
})
