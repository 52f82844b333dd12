/** The OpenAPI document in the hands of tools that take one: a converter for Postman, and a mock server. */
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { bin, name } from './package.mjs'
import { loadModule } from './project.mjs'

const START_MS = 60_000

/** @param {import('./project.mjs').Project} project */
async function documentOf(project) {
  // Not by npx, which has things to say of its own.
  return JSON.parse(await project.run('node', [join('node_modules', name, bin[name]), 'contract', 'openapi']))
}

/** Every operation is a request, and each of its answers a saved one. @param {import('./project.mjs').Project} project */
export async function toPostman(project) {
  const { convertV2 } = await loadModule(project, 'openapi-to-postmanv2')
  const data = JSON.stringify(await documentOf(project))
  const result = await new Promise((resolve, reject) => {
    convertV2(
      { type: 'string', data },
      { parametersResolution: 'Example' },
      (/** @type {any} */ error, /** @type {any} */ told) => (error ? reject(error) : resolve(told)),
    )
  })
  if (!result.result) throw new Error(result.reason)
  /** @type {any[]} */
  const requests = []
  const walk = (/** @type {any} */ entry) => (entry.item ? entry.item.forEach(walk) : requests.push(entry))
  walk(result.output[0].data)
  const answers = requests.reduce((sum, { response }) => sum + response.length, 0)
  if (requests.length !== 26 || answers !== 26 * 5)
    throw new Error(`${requests.length} requests, ${answers} answers`)
}

/** Each operation's example is answered with its example, and with 401 without a token. @param {import('./project.mjs').Project} project */
export async function mocked(project) {
  const document = await documentOf(project)
  await project.write({ 'openapi.json': JSON.stringify(document) })
  const port = await freePort()
  const bin = join(project.folder, 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js')
  const prism = spawn(
    project.node,
    [bin, 'mock', '--port', String(port), join(project.folder, 'openapi.json')],
    {
      stdio: 'ignore',
    },
  )
  try {
    const server = `http://127.0.0.1:${port}`
    await answering(server)
    const [unauthenticated] = Object.values(document.components.responses.Unauthenticated.content)
    for (const [path, methods] of Object.entries(document.paths))
      for (const [method, operation] of Object.entries(methods)) {
        const { url, init } = requestOf(server + path, method, operation)
        const authorized = { ...init, headers: { ...init.headers, authorization: 'Bearer anything' } }
        await expectAnswer(
          operation,
          await fetch(url, authorized),
          200,
          operation.responses['200'].content['application/json'].example,
        )
        await expectAnswer(operation, await fetch(url, init), 401, unauthenticated.example)
      }
  } finally {
    prism.kill()
  }
}

/** @param {string} template @param {string} method @param {any} operation */
function requestOf(template, method, { parameters, requestBody }) {
  const of = (/** @type {string} */ place) => parameters.filter((/** @type {any} */ one) => one.in === place)
  const url = new URL(
    of('path').reduce(
      (/** @type {string} */ path, /** @type {any} */ one) =>
        path.replace(`{${one.name}}`, encodeURIComponent(one.example)),
      template,
    ),
  )
  for (const one of of('query')) url.searchParams.set(one.name, one.example)
  const body = requestBody?.content['application/json'].example
  /** @type {RequestInit} */
  const init = {
    method: method.toUpperCase(),
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
  return { url, init }
}

/** @param {any} operation @param {Response} answer @param {number} status @param {unknown} body */
async function expectAnswer({ operationId }, answer, status, body) {
  const text = await answer.text()
  if (answer.status !== status || !isDeepStrictEqual(JSON.parse(text), body))
    throw new Error(`${operationId}: ${answer.status} ${text.slice(0, 200)}`)
}

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** @param {string} server */
async function answering(server) {
  const until = Date.now() + START_MS
  for (;;) {
    try {
      return await fetch(server)
    } catch (error) {
      if (Date.now() > until) throw error
      await delay(200)
    }
  }
}
