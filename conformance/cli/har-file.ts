/** HAR files from disk, with the bodies that some tools put into files beside them. */
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { jsonIn, readText } from '../client/files.js'
import { UsageError } from '../contract/trouble.js'
import { isObject } from '../oracle/json.js'

/** Throws a `UsageError` that begins with the name of the file. */
export function readHarFile(file: string): unknown {
  const text = readText(file, file)
  if (text.startsWith('PK'))
    throw new UsageError(`${file} is a ZIP archive; unpack it, and give the .har file in it`)
  const json = jsonIn(text.replace(/^\uFEFF/, ''), file)
  for (const entry of list(member(member(json, 'log'), 'entries')))
    for (const body of [
      member(member(entry, 'request'), 'postData'),
      member(member(entry, 'response'), 'content'),
    ])
      attach(body, dirname(file))
  return json
}

const member = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A file that is not there leaves the body lost. */
function attach(body: unknown, folder: string): void {
  if (!isObject(body) || typeof body._file !== 'string' || body.text) return
  try {
    const text = readFileSync(join(folder, basename(body._file))).toString('base64')
    Object.assign(body, { text, encoding: 'base64' })
  } catch {
    // The reader tells what it could not judge.
  }
}
