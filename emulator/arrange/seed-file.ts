/** Reads a starting state from a file. Node only, and loaded on demand. */
import { readFile } from 'node:fs/promises'
import { troubleOf } from '../../conformance/contract/trouble.js'

/** The JSON in a file, a whole state or a part of one. The caller checks its content. */
export async function readSeed(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The seed file ${path} cannot be read: ${troubleOf(error)}`)
  })
  try {
    return JSON.parse(text)
  } catch (error) {
    const line = wrongLine(text.split('\n'))
    throw new TypeError(`The seed file ${path} is not JSON: line ${line}: ${troubleOf(error)}`)
  }
}

/** The line of the first mistake. The first `right` lines begin a JSON text; the first `wrong` lines do not. */
function wrongLine(lines: readonly string[], right = 0, wrong = lines.length): number {
  if (wrong - right < 2) return wrong
  const middle = (right + wrong) >> 1
  const isRight = isBeginning(`${lines.slice(0, middle).join('\n')}\n`)
  return isRight ? wrongLine(lines, middle, wrong) : wrongLine(lines, right, middle)
}

function isBeginning(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined
  } catch (error) {
    return new RegExp(`end of JSON| position ${text.length}\\b`).test(String(error))
  }
}
