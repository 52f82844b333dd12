/** Acts as another user, in whichever way a tracker offers that, and ends it again. */
import { sessionIn } from '../../trace/recorded.js'
import type { Request, Script } from '../script.js'

/** Impersonates a user. If the token then acts as that user, it impersonates its owner, which ends that. */
export async function impersonate(s: Script, request: Request): Promise<void> {
  const seen = await s.send('impersonateUser', request)
  if (seen?.status === 200 && (await speaksFor(s, String(request.path?.user_id)))) await leave(s)
}

export interface StandIn {
  /** What is added to a request so that it acts as the user. */
  readonly way: Request
  leave(): Promise<void>
}

/** Impersonates a user, and finds the way in which requests act as that user; null where no way is known. */
export async function standIn(s: Script, name: string): Promise<StandIn | null> {
  const bind = { name: 'session', kind: 'session', of: name } as const
  const seen = await s.send('impersonateUser', { path: { user_id: name }, bind })
  // If the token itself acts as the user now, a test of other ways would show nothing.
  if (await speaksFor(s, name)) return { way: {}, leave: () => leave(s) }
  const { token, cookie } = seen ? sessionIn(seen) : {}
  const ways: Request[] = [
    ...(token ? [{ authorization: 'Bearer {{session}}' }] : []),
    ...(cookie && !token ? [{ authorization: null, headers: { cookie: '{{session}}' } }] : []),
    { headers: { 'x-mantis-username': name } },
  ]
  for (const [index, way] of ways.entries()) {
    const page = await s.send('getAccountPage', way)
    // A tracker that does not know a way answers as to the administrator, or as to a caller without a token.
    if (page?.status === 200 && (index === 0 || JSON.stringify(page.json ?? '').includes(name)))
      return { way, leave: async () => {} }
  }
  return null
}

async function speaksFor(s: Script, name: string): Promise<boolean> {
  const page = await s.send('getAccountPage')
  return JSON.stringify(page?.json ?? '').includes(name)
}

async function leave(s: Script): Promise<void> {
  const user_id = s.names.administrator
  if (user_id !== undefined) await s.send('impersonateUser', { path: { user_id }, keep: true })
}
