import type { Overview, ShownCall } from '../routes.js'

/** A call of the journal as a shell command. The token is a variable, and masked values stay masked. */
export function curlOf(call: ShownCall, { baseUrl, root }: Pick<Overview, 'baseUrl' | 'root'>): string {
  const { method, path, body, violations } = call
  const below = path.startsWith(root) ? path.slice(root.replace(/\/$/, '').length) : path
  const bare = violations.some(({ kind, message }) => kind === 'credentials' && /missing/.test(message))
  const json = body === null ? '' : quoted(JSON.stringify(body))
  return [
    `curl -i -X ${method}`,
    ...(bare ? [] : ['-H "Authorization: Bearer $TRACKER_TOKEN"']),
    ...(body === null ? [] : [`-H 'Content-Type: application/json' --data-raw ${json}`]),
    quoted(baseUrl + below),
  ].join(' ')
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
