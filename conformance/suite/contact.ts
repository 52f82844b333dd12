/** The first requests to a target: whether it is a tracker at all, before hundreds of checks say the same. */
import { UnreachableError } from '../cli/usage.js'
import { documentedStatuses, type OperationId } from '../contract/index.js'
import { type Answer, createClient, NoAnswer } from '../target/client.js'
import type { RunOptions } from './run.js'

const reads: readonly OperationId[] = [
  'getAccountPage',
  'listCustomFields',
  'listPlugins',
  'getUserCreatePage',
  'getCustomFieldCreatePage',
  'getTokensPage',
]

export type ContactOptions = Pick<RunOptions, 'profile' | 'timeout' | 'rate'>

/** Throws an `UnreachableError`, in one sentence, when the target gives nothing that could be judged. */
export async function contact(options: ContactOptions): Promise<void> {
  const { baseUrl, ext = 'Ext' } = options.profile
  const client = createClient(options.profile, { ...options, safety: 'read' })
  const answers: Answer[] = []
  try {
    for (const operation of reads) {
      const answer = await client.send({ operation })
      // One success is enough: whatever else is wrong is for the checks to say.
      if (answer.status >= 200 && answer.status < 300) return
      answers.push(answer)
    }
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    throw unreachable(baseUrl, error)
  } finally {
    client.close()
  }
  const statuses = new Set(answers.map(({ status }) => status))
  const [status] = statuses
  if (statuses.size > 1 || status === undefined) return
  if (status === 401)
    throw new UnreachableError(`${baseUrl} answers 401 to the administrator's token; is the token right?`)
  if (status === 403)
    throw new UnreachableError(
      `${baseUrl} answers 403 to the administrator's token; is it really an administrator's?`,
    )
  if (status === 404)
    throw new UnreachableError(
      `${baseUrl} answers 404 to everything; are the base URL and the extension "${ext}" right?`,
    )
  if (!documentedStatuses.includes(status))
    throw new UnreachableError(`${baseUrl} answers ${status} to everything; it gave nothing to judge`)
}

/** The error of a target that gave no answer. */
export function unreachable(baseUrl: string, { message }: NoAnswer): UnreachableError {
  const advice = /CERT|SELF_SIGNED|UNABLE_TO_/.test(message)
    ? 'set NODE_EXTRA_CA_CERTS to the file of the authority that signed its certificate'
    : 'is it running, and is the base URL right?'
  return new UnreachableError(`${baseUrl}: ${message}; ${advice}`)
}
