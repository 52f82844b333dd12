const troubles: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or directory',
  EISDIR: 'it is a directory, and a file is needed',
  ENOTDIR: 'a part of the path is a file, where a directory is needed',
  EEXIST: 'a file is in the way, where a directory is needed',
  EACCES: 'you have no right to it',
  EPERM: 'you have no right to it',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the device',
}

/**
 * Why a file could not be used: in words if there are some, with the system's code. For invalid JSON it is the parser's
 * message without the quoted text, which may contain a token.
 */
export function troubleOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined) return withoutQuote(message ?? String(error)).replace(/\s+/g, ' ')
  const words = troubles[code]
  return words === undefined ? code : `${words} (${code})`
}

const withoutQuote = (message: string) =>
  message.replace(/, (\.\.\.)?"[\s\S]*"(\.\.\.)? is not valid JSON/, '')

/** That a text is not JSON: the line in which it is broken, and the parser's words for it. */
export function notJson(text: string, error: unknown): string {
  const lines = text.split('\n')
  let [first, last] = [1, lines.length]
  while (first < last) {
    const middle = (first + last) >> 1
    if (mayGoOn(`${lines.slice(0, middle).join('\n')}\n`)) first = middle + 1
    else last = middle
  }
  return `is not JSON${lines.length > 1 ? ` in line ${first}` : ''}: ${troubleOf(error)}`
}

/** Whether a text may be the beginning of JSON: no parser finds fault with it before its end. */
function mayGoOn(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const [, position] = / at position (\d+)/.exec(String(error)) ?? []
    return position === undefined ? /end of JSON/.test(String(error)) : Number(position) === text.length
  }
}

/** An error of use: one line on standard error that says what to change, exit code 2. */
export class UsageError extends Error {}

/** The target cannot be reached, or gives no usable answer: exit code 3. */
export class UnreachableError extends Error {}
