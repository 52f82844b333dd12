import type { ReportFailure } from './report.js'

/** A request with its raw body as a shell command; a variable that the reader sets replaces the token. */
export function curlLine(
  { method, url, headers }: NonNullable<ReportFailure['request']>,
  body: string | null,
): string {
  const lines = [
    // In curl's syntax, `Name;` sends an empty header, and `Name:` removes one that curl would add.
    ...Object.entries(headers).map(([name, value]) => (value === '' ? `${name};` : `${name}: ${value}`)),
    ...(body === null || 'content-type' in headers ? [] : ['Content-Type:']),
  ]
  const given = lines.flatMap((line) => ['-H', shellQuote(line)])
  const data = body === null ? [] : ['--data-raw', shellQuote(body)]
  return ['curl', '-i', '-X', method, ...given, ...data, shellQuote(url)].join(' ')
}

/** Double quotes let the variable of a token expand; everything else has single quotes. */
export function shellQuote(text: string): string {
  if (/^Authorization: \S+ +\$TRACKER_[A-Z_]+$/.test(text)) return `"${text}"`
  return `'${text.replaceAll("'", "'\\''")}'`
}
