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

/** An error of use: one line on standard error that says what to change, exit code 2. */
export class UsageError extends Error {}

/** The target cannot be reached, or gives no usable answer: exit code 3. */
export class UnreachableError extends Error {}
