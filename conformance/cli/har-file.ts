/** HAR files from disk, with the bodies that some tools put into files beside them. */
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isObject } from '../client/look.js'
import { troubleOf, UsageError } from '../contract/trouble.js'

/** Throws a `UsageError` that begins with the name of the command. */
export function readHarFile(command: string, file: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${command}: ${file} cannot be read: ${troubleOf(error)}`)
  }
  if (text.startsWith('PK'))
    throw new UsageError(`${command}: ${file} is a ZIP archive; unpack it, and give the .har file in it`)
  let json: unknown
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new UsageError(`${command}: ${file} is not JSON: ${troubleOf(error)}`)
  }
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
