/** The first requests to a target find out whether it is a tracker. */
import { type Answer, type Identity, NoAnswer } from '../client/call.js'
import { type Client, type ClientOptions, createClient } from '../client/client.js'
import { recordsWith } from '../client/look.js'
import { isDone } from '../client/permit.js'
import { documentedStatuses, type OperationId, type Profile, type Safety } from '../contract/index.js'
import { UnreachableError, UsageError } from '../contract/trouble.js'

const reads: readonly OperationId[] = [
  'getAccountPage',
  'listCustomFields',
  'listPlugins',
  'getUserCreatePage',
  'getCustomFieldCreatePage',
  'getTokensPage',
]

/** Reads of which each shows whether the target is a tracker. */
export const readsOf = ({ notImplemented = [] }: Pick<Profile, 'notImplemented'>): OperationId[] =>
  reads.filter((operation) => !notImplemented.includes(operation))

export interface ContactOptions extends Pick<ClientOptions, 'timeout' | 'rate' | 'onExchange'> {
  readonly profile: Profile
  /** The safety level of the run; without it the plugin of the profile is not checked. */
  readonly safety?: Safety
}

/**
 * Throws an `UnreachableError`, in one sentence, when the target gives nothing that could be judged, and a `UsageError`
 * when it shows that the profile is mistaken.
 */
export async function contact(options: ContactOptions): Promise<void> {
  const { baseUrl, ext = 'Ext' } = options.profile
  const client = createClient(options.profile, { ...options, safety: 'read' })
  const answers: Answer[] = []
  try {
    for (const operation of readsOf(options.profile)) {
      const answer = await client.send({ operation })
      // One success is enough. The run itself reports other faults.
      if (isDone(answer) && !isPage(answer)) return await profileFits(client, options).catch(leaveToRun)
      answers.push(answer)
    }
  } catch (error) {
    throw error instanceof NoAnswer ? unreachable(baseUrl, error) : error
  } finally {
    client.close()
  }
  // The query may hold a secret.
  const [to = ''] = client.redact.text(answers[0]?.headers.location ?? '').split('?')
  const words = meaningOf(answers, to || 'nowhere', ext)
  if (words !== null) throw new UnreachableError(`${baseUrl} ${words}`)
}

/** Why no answer can be judged; null where some can. `to`: where the first one redirects to. */
function meaningOf(answers: readonly Answer[], to: string, ext: string): string | null {
  if (answers.length === 0) return null
  if (answers.every((answer) => isDone(answer) && isPage(answer)))
    return 'answers with HTML pages, not with JSON; is it the REST root, and no sign-in page in front of it? It often ends in /api/rest'
  const [status = 0, ...others] = new Set(answers.map((answer) => answer.status))
  if (others.length > 0) return null
  if (status >= 300 && status < 400)
    return `redirects everything (${status}) to ${to}; give the URL that it redirects to, or the REST root behind the sign-in page`
  if (status === 401) return "answers 401 to the administrator's token; is the token right?"
  if (status === 403) return "answers 403 to the administrator's token; is it really an administrator's?"
  if (status === 404)
    return `answers 404 to everything; are the base URL and the extension "${ext}" right? The base URL ends before /plugins`
  return documentedStatuses.includes(status)
    ? null
    : `answers ${status} to everything; it gave nothing to judge`
}

/** A request without an answer tells nothing about the profile. */
function leaveToRun(error: unknown): void {
  if (!(error instanceof NoAnswer)) throw error
}

/** Reports a mistake of the profile as one error, not as many deviations of the tracker. */
async function profileFits(client: Client, { profile, safety }: ContactOptions): Promise<void> {
  const { disabled: _, ...enabled } = profile.tokens
  for (const as of ['disabled', 'restricted', 'password'] as const) {
    const token = profile.tokens[as]
    if (token === undefined) continue
    const [twin] = Object.entries(enabled).find(([role, other]) => role !== as && other === token) ?? []
    const whose = as === 'disabled' ? 'a disabled' : 'another'
    if (twin !== undefined)
      throw new UsageError(
        `tokens.${as} of the profile is the token of tokens.${twin}; give that of ${whose} user, or leave it out`,
      )
    if (as !== 'disabled' && (await isUnknown(client, as, profile)))
      throw new UsageError(
        `${profile.baseUrl} answers 401 to the token of tokens.${as}, whatever it asks for; put the right one into the profile, or leave it out`,
      )
  }
  const { plugin, notImplemented = [] } = profile
  if (safety !== 'destructive' || plugin === undefined || notImplemented.includes('listPlugins')) return
  const listed = await client.send({ operation: 'listPlugins' })
  // A list may also have available plugins.
  if (recordsWith(listed.json, plugin.name).some((record) => record.installed === true))
    throw new UsageError(
      `the plugin "${plugin.name}" of the profile is installed already, and the run would remove it; name one that is available and not installed`,
    )
}

async function isUnknown(client: Client, as: Identity, profile: Profile): Promise<boolean> {
  for (const operation of readsOf(profile))
    if ((await client.send({ operation, as })).status !== 401) return false
  return true
}

/** Such as the web page of the tracker itself, or of a proxy, whatever its status. */
const isPage = ({ headers, json, text }: Answer) =>
  json === undefined && (/\bhtml\b/.test(headers['content-type'] ?? '') || /^\s*<(!doctype|html)/i.test(text))

/** The error of a target that gave no answer. */
export const unreachable = (baseUrl: string, { message }: NoAnswer): UnreachableError =>
  new UnreachableError(`${baseUrl}: ${message}; ${adviceOn(message, baseUrl)}`)

function adviceOn(message: string, baseUrl: string): string {
  if (/ALTNAME/.test(message)) return 'its certificate is for another host: give the base URL with that name'
  if (/HAS_EXPIRED/.test(message)) return 'its certificate has expired: it must have a new one'
  if (/CERT|SELF_SIGNED|UNABLE_TO_/.test(message))
    return 'set NODE_EXTRA_CA_CERTS to the file of the authority that signed its certificate, or of the certificate itself'
  if (/EPROTO|ERR_SSL|WRONG_VERSION/.test(message) && baseUrl.startsWith('https:'))
    return 'it does not speak https there: is it http, or another port?'
  if (/ECONNRESET|no HTTP|HPE_/.test(message) && baseUrl.startsWith('http:'))
    return 'is it a tracker, and is it https rather than http?'
  if (/ENOTFOUND|EAI_AGAIN/.test(message))
    return 'is the host in the base URL spelt right, and known to this network?'
  return 'is it running, and is the base URL right?'
}
