/** 26 handlers that check nothing, behind @mswjs/http-middleware. `middleware.mjs PORT FOLDER OPENAPI BODY` */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [port, folder, openapi, text] = process.argv.slice(2)
const require = createRequire(join(folder, 'package.json'))
const { createServer } = require('@mswjs/http-middleware')
const { http, HttpResponse } = require('msw')

const { paths, servers } = JSON.parse(readFileSync(openapi, 'utf8'))
const root = new URL(servers[0].url).pathname
const body = JSON.parse(text)
const handlers = Object.entries(paths).flatMap(([path, methods]) =>
  Object.keys(methods)
    .filter((method) => method in http)
    .map((method) =>
      http[method](root + path.replace(/\{(\w+)\}/g, ':$1'), async ({ request }) => {
        if (method !== 'get') await request.text()
        return HttpResponse.json(body)
      }),
    ),
)
createServer(...handlers).listen(Number(port), '127.0.0.1')
