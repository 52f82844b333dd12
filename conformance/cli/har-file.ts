/** Reads HAR files, with the bodies that some tools write to files beside them. */
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { jsonIn, readText } from '../client/files.js'
import { isObject, valueAt } from '../client/look.js'
import { UsageError } from '../contract/trouble.js'

/** Throws a `UsageError` that begins with the name of the file. */
export function readHarFile(file: string): unknown {
  const text = readText(file, file)
  if (text.startsWith('PK'))
    throw new UsageError(`${file} is a ZIP archive; unpack it, and give the .har file in it`)
  const json = jsonIn(text.replace(/^\uFEFF/, ''), file)
  for (const entry of list(valueAt(json, '/log/entries')))
    for (const place of ['/request/postData', '/response/content'])
      attach(valueAt(entry, place), dirname(file))
  return json
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Adds a body from its file. If the file is missing, the body stays lost. */
function attach(body: unknown, folder: string): void {
  if (!isObject(body) || typeof body._file !== 'string' || body.text) return
  try {
    const text = readFileSync(join(folder, basename(body._file))).toString('base64')
    Object.assign(body, { text, encoding: 'base64' })
  } catch {
    // The reader of the HAR file reports what it could not judge.
  }
}
