/** Reads a starting state from a file. Node only, and loaded on demand. */
import { readFile } from 'node:fs/promises'
import { notJson, troubleOf } from '../../conformance/contract/trouble.js'

export async function readSeed(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The seed file ${path} cannot be read: ${troubleOf(error)}`)
  })
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new TypeError(`The seed file ${path} ${notJson(text, error)}`)
  }
}
