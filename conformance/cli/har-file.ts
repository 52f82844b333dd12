/** HAR files from disk, with the bodies that some tools put into files beside them. */
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
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
  const { data } = attaching.safeParse(json)
  for (const { request, response } of data?.log.entries ?? [])
    for (const body of [request?.postData, response?.content]) if (body) attach(body, dirname(file))
  return data ?? json
}

const body = z.looseObject({ text: z.string().optional(), _file: z.string() }).optional().catch(undefined)
const attaching = z.looseObject({
  log: z.looseObject({
    entries: z.array(
      z.looseObject({
        request: z.looseObject({ postData: body }).optional().catch(undefined),
        response: z.looseObject({ content: body }).optional().catch(undefined),
      }),
    ),
  }),
})

/** A file that is not there leaves the body lost. */
function attach(
  given: { _file: string; text?: string | undefined; encoding?: unknown },
  folder: string,
): void {
  if (given.text !== undefined) return
  try {
    given.text = readFileSync(join(folder, basename(given._file))).toString('base64')
    given.encoding = 'base64'
  } catch {
    // The reader tells what it could not judge.
  }
}
