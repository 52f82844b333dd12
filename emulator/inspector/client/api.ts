/** Requests to the control plane. Paths are relative to its root, which is the address of the page. */

export const get = <T>(path: string): Promise<T> => ask<T>('GET', path)

/** `body` is sent as JSON. Rejects with the server's message. */
export const change = <T>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  ask<T>(method, path, body === undefined ? null : JSON.stringify(body))

async function ask<T>(method: string, path: string, body: string | null = null): Promise<T> {
  const response = await fetch(path, { method, body }).catch(() => {
    throw new Error('The tracker does not answer; is it still running?')
  })
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const answer = await (isJson ? response.json() : response.text())
  if (!response.ok) throw new Error(answer.message ?? `${method} ${path} was answered ${response.status}`)
  return answer as T
}
