/** What the parts of the control plane are made of. */
import { troubleOf } from '../../conformance/contract/trouble.js'
import { parseJson } from '../request/json.js'
import { jsonReply, type Reply } from './message.js'

export const CONTROL_ROOT = '/__tracker'

/**
 * `id` is what stands for `{id}` in the path; NaN where the path has none. `asked` is the REST root at the address that the
 * caller has used.
 */
export type Handler = (body: Uint8Array, id: number, asked: string) => Reply | Promise<Reply>

/** By path below the control plane's root, `faults` or `faults/{id}`, then by method. */
export type Routes = Readonly<Record<string, Readonly<Partial<Record<string, Handler>>>>>

/** Indented: people read these in the browser. */
export function pretty(value: unknown): Reply {
  return { ...jsonReply(200, null), body: `${JSON.stringify(value, null, 2)}\n` }
}

/** What the tracker or a parser throws is the sender's mistake. */
export async function refusing(work: () => Reply | Promise<Reply>): Promise<Reply> {
  try {
    return await work()
  } catch (error) {
    return jsonReply(400, { message: error instanceof Error ? error.message : String(error) })
  }
}

export function parse(body: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    throw new TypeError(`The body is not JSON: ${troubleOf(error)}`)
  }
}
