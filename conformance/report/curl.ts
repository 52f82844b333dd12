/** A request as a shell command; a variable that the reader sets replaces the token. */
interface ShellRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The raw body, with secrets removed, or null. */
  readonly body: string | null
}

export function curlLine({ method, url, headers, body }: ShellRequest): string {
  const parts = ['curl', '-i', '-X', method]
  for (const line of headerLines(headers, body)) parts.push('-H', shellQuote(line))
  if (body !== null) parts.push('--data-raw', shellQuote(body))
  parts.push(shellQuote(url))
  return parts.join(' ')
}

/** Headers in curl's syntax: `Name;` sends an empty header, and `Name:` removes one that curl would add. */
function headerLines(headers: ShellRequest['headers'], body: string | null): string[] {
  const lines = Object.entries(headers).map(([name, value]) =>
    value === '' ? `${name};` : `${name}: ${value}`,
  )
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  return body === null || hasType ? lines : [...lines, 'Content-Type:']
}

/** Double quotes let the variable of a token expand; everything else has single quotes. */
export function shellQuote(text: string): string {
  if (/^Authorization: \S+ +\$TRACKER_[A-Z_]+$/.test(text)) return `"${text}"`
  return `'${text.replaceAll("'", "'\\''")}'`
}
