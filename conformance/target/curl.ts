/** A request as a line for the shell; the token stands as a variable that the reader sets. */
export interface ShellRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The raw body, already redacted, or null. */
  readonly body: string | null
}

export function curlLine({ method, url, headers, body }: ShellRequest): string {
  const parts = ['curl', '-i', '-X', method]
  for (const [name, value] of Object.entries(headers)) parts.push('-H', shellQuote(`${name}: ${value}`))
  if (body !== null) parts.push('--data-raw', shellQuote(body))
  parts.push(shellQuote(url))
  return parts.join(' ')
}

/** Double quotes where a token variable must expand, single quotes everywhere else. */
export function shellQuote(text: string): string {
  if (/^Authorization: \S+ +\$TRACKER_[A-Z_]+$/.test(text)) return `"${text}"`
  return `'${text.replaceAll("'", "'\\''")}'`
}
