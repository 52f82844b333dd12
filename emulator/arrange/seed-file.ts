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
    throw new TypeError(`The seed file ${path} is not JSON: line ${lineOfMistake(text)}: ${troubleOf(error)}`)
  }
}

/** The line of the first mistake in a text that is not JSON. Node's message often lacks it. */
function lineOfMistake(text: string): number {
  const lines = text.split('\n')
  // All lines up to `right` begin a JSON text; those up to `wrong` do not.
  let [right, wrong] = [0, lines.length]
  while (wrong - right > 1) {
    const middle = (right + wrong) >> 1
    if (isBeginning(`${lines.slice(0, middle).join('\n')}\n`)) right = middle
    else wrong = middle
  }
  return wrong
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const { message } = error as Error
    return message.includes('end of JSON') || Number(/ position (\d+)/.exec(message)?.[1]) === text.length
  }
}
