/** A request as a line for the shell; the token stands as a variable that the reader sets. */
interface ShellRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The raw body, already redacted, or null. */
  readonly body: string | null
}

export function curlLine({ method, url, headers, body }: ShellRequest): string {
  const parts = ['curl', '-i', '-X', method]
  for (const line of headerLines(headers, body)) parts.push('-H', shellQuote(line))
  if (body !== null) parts.push('--data-raw', shellQuote(body))
  parts.push(shellQuote(url))
  return parts.join(' ')
}

/** As curl takes them: it has a sign of its own for an empty header, and for none where it would set one itself. */
function headerLines(headers: ShellRequest['headers'], body: string | null): string[] {
  const lines = Object.entries(headers).map(([name, value]) =>
    value === '' ? `${name};` : `${name}: ${value}`,
  )
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  return body === null || hasType ? lines : [...lines, 'Content-Type:']
}

/** Double quotes where a token variable must expand, single quotes everywhere else. */
export function shellQuote(text: string): string {
  if (/^Authorization: \S+ +\$TRACKER_[A-Z_]+$/.test(text)) return `"${text}"`
  return `'${text.replaceAll("'", "'\\''")}'`
}
