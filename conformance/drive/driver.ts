/** The driver sends requests, writes the trace and passes each exchange to the oracle. It does not judge. */
import { type Answer, type Call, type Identity, NoAnswer } from '../client/call.js'
import type { Client } from '../client/client.js'
import type { Entry } from '../client/ledger.js'
import { inLetters, madeUpPassword } from '../client/made-up.js'
import { isDone, Withheld } from '../client/permit.js'
import { knowledgeOf } from '../client/redact.js'
import { type Swept, sweep } from '../client/sweep.js'
import { type OperationId, operation, type Profile, pathOf } from '../contract/index.js'
import type { Exchange } from '../oracle/exchange.js'
import { type Judgement, Oracle } from '../oracle/judge.js'
import type { Knowledge } from '../oracle/knowledge.js'
import type { Thing } from '../oracle/things.js'
import type { World } from '../oracle/world.js'

/** Ends the run: the budget is spent, or the target is gone. */
export class Ended extends Error {}

/** Credentials that are written out; `authorization: null` sends none. */
export type Credentials = Readonly<{ authorization: string | null; cookie?: string }>

export type Caller = Identity | 'nobody' | Credentials

/** A request, in the form that stories use. */
export interface Ask extends Pick<Call, 'body' | 'query' | 'headers' | 'suffix'> {
  readonly op: OperationId
  /** Default `administrator`. */
  readonly caller?: Caller
  /** What the path addresses. */
  readonly at?: string | undefined
  /** The literal text to send in place of a body. */
  readonly raw?: string | undefined
}

export interface Answered {
  /** 0: nothing came back, or nothing was sent. */
  readonly status: number
  readonly isSent: boolean
  /** The status is that of a success. */
  readonly isDone: boolean
  readonly json: unknown
  readonly cookies: string | undefined
  /** What the request has created, as far as the answer tells. */
  readonly made: Thing | undefined
}

/** What the stories have learnt about this target's habits, so that they try each only once. */
export interface Habits {
  /** The form that usernames have; undefined until a creation was answered. */
  form?: ((word: string, domain: string) => string) | undefined
  /** Members that a field's definition needs beside its name and type. */
  definition?: Readonly<Record<string, unknown>> | undefined
  /** Members that an update of a field has to repeat. */
  repeated?: Readonly<Record<string, unknown>>
  /** Languages and time zones that a page offers. */
  choices: Readonly<Record<string, readonly string[]>>
  levels: readonly number[]
  /** A level in projects beside that of the profile; undefined where no page offers one. */
  projectLevel?: string | undefined
  /** Whether a thing can be removed again; undefined until the first of its kind was. `link`: a field that has had projects. */
  readonly canRemove: Map<'user' | 'field' | 'link', boolean>
  /** Whether the run can lift the protection of a user again. */
  canFree: boolean
  /** Things that could not be removed: entries of the ledger. */
  readonly stuck: Set<Entry>
}

/** The things that stories send defects to. */
export type Subjects = Readonly<Partial<Record<'user' | 'field', Thing | undefined>>>

/** What a run generates from. */
export type Given = Readonly<Record<'runs' | 'seed', number>>

/** A random sequence of requests: the numbers of the exchanges before it, and of its last one. */
export interface Sequence {
  readonly from: number
  readonly to: number
  /** It is the shortest that shows a finding. */
  readonly isShortest: boolean
}

export type Driver = ReturnType<typeof createDriver>

export interface DriverOptions {
  readonly profile: Profile
  readonly client: Client
  /** Filled by the client's `onExchange`. */
  readonly pending: Exchange[]
  /** Requests in all; 0 sets no limit. */
  readonly budget: number
  readonly sends: (op: OperationId) => boolean
  /** After an abort nothing is sent. */
  readonly signal?: AbortSignal | undefined
  /** Whether the same request may be sent twice: after a refusal that may be temporary, and a read that must show the same; default true. */
  readonly repeats?: boolean
}

/** Reasons of a refusal that may be temporary: the driver sends such a request once more. */
const passing = ['state', 'state.absent', 'limits', 'permission.open', 'hidden', 'success']
/** Stands for the answer to a request that was not sent. */
export const nothing: Answered = {
  ...{ status: 0, isSent: false, isDone: false, json: undefined, cookies: undefined, made: undefined },
}
const MOST_SILENT = 5
const MOST_SERVER_ERRORS = 60

export function createDriver(options: DriverOptions) {
  const { profile, client, pending, budget, sends, signal, repeats = true } = options
  const trace: Exchange[] = []
  const stories = new Map<number, string>()
  const made = madeUpPassword()
  client.redact.hide(made)
  let oracle = new Oracle(knowledgeOf(profile))
  /** What was allowed for the last new exchange; undefined where there was none, or it means no operation. */
  let last: ReturnType<Oracle['step']>
  let words = 0
  let silent = 0
  let judged: { readonly after: number; readonly judgement: Judgement } | undefined

  const habits: Habits = { choices: {}, levels: [], canRemove: new Map(), canFree: true, stuck: new Set() }

  function flush(): void {
    last = undefined
    for (const exchange of pending.splice(0)) {
      trace.push(exchange)
      stories.set(exchange.n, driver.story)
      last = oracle.step(exchange)
    }
  }

  async function send(ask: Ask): Promise<Answer | 'silence' | 'withheld'> {
    driver.proceed()
    if (budget > 0 && client.requests >= budget) throw new Ended(`the budget of ${budget} requests is spent`)
    try {
      const answer = await (repeats ? client.send : client.look)(callOf(ask))
      silent = 0
      if (client.serverErrors >= MOST_SERVER_ERRORS)
        throw new Ended(`the target answered ${client.serverErrors} times in a row with a server error`)
      return answer
    } catch (error) {
      if (error instanceof Withheld) return 'withheld'
      if (!(error instanceof NoAnswer)) throw error
      silent += 1
      if (error.kind === 'throttled' || silent >= MOST_SILENT) throw new Ended(error.message)
      return 'silence'
    }
  }

  /** Whether a request may create another thing of a kind that cannot be removed. */
  function isOneTooMany(ask: Ask): boolean {
    const { op, caller = 'administrator', body, raw } = ask
    const isKept = kindsOf(ask).some((kind) => habits.canRemove.get(kind) === false)
    if (caller !== 'administrator' || !isKept) return false
    const path = pathOf(op, client.ext, callOf(ask).path)
    const foreseen = oracle.foresee({
      ...{ n: 0, caller, method: operation(op).method, path, query: '', headers: {} },
      ...{ body: raw ?? JSON.stringify(body) ?? null, status: 0, responseHeaders: {}, text: '' },
    })
    return foreseen?.violated.length === 0
  }

  async function once(ask: Ask): Promise<Answered & { mayPass: boolean }> {
    const { caller = 'administrator' } = ask
    const isAbsent = typeof caller === 'string' && caller !== 'nobody' && !driver.has(caller)
    if (isAbsent || isOneTooMany(ask)) return { ...nothing, mayPass: false }
    const answer = await send(ask).finally(flush)
    if (answer === 'withheld') return { ...nothing, mayPass: false }
    if (answer === 'silence') return { ...nothing, isSent: true, mayPass: true }
    const { status, json, headers } = answer
    const { violated = [], open = [], request } = last ?? {}
    const isRefused = status >= 400 && status < 500
    return {
      ...{ status, json, isSent: true, isDone: isDone(answer), cookies: headers['set-cookie'] },
      made: oracle.world.things.findLast(({ born }) => born === request?.n),
      mayPass: isRefused && violated.length === 0 && open.every(({ id }) => passing.includes(id)),
    }
  }

  const driver = {
    client,
    trace: trace as readonly Exchange[],
    /** The story that each exchange belongs to. */
    stories: stories as ReadonlyMap<number, string>,
    /** What the clean-ups so far have done. */
    swept: [] as Swept[],
    sequences: [] as Sequence[],
    /** The things that stories send defects to. They are replaced when their state is no longer known. */
    subjects: {} as Subjects,
    habits,
    story: 'start',
    /** Throws `Ended` after a cancellation. */
    proceed(): void {
      if (signal?.aborted) throw new Ended('the run was cancelled')
    },
    /** Whether the run sends requests of this operation. */
    sends,
    /** What is left of the profile without the fields that the target refuses. */
    profile,
    get knowledge(): Knowledge {
      return oracle.world.knowledge
    },
    get world(): World {
      return oracle.world
    },
    /** A password for users of the run. */
    get password(): string {
      return driver.profile.password?.valid ?? made
    },
    /** Removes what the run has made, and restores what it has changed, apart from what is kept. */
    async sweep(keep?: (entry: Entry) => boolean): Promise<void> {
      const swept = await sweep(client, driver.profile, client.guard.ledger, keep)
      driver.swept.push(keep ? { ...swept, left: [] } : swept)
    },
    /** Adds exchanges to the trace that the client sent outside the stories. */
    flush,
    /** Of the trace so far. */
    judgement(): Judgement {
      if (judged?.after !== trace.length) judged = { after: trace.length, judgement: oracle.end() }
      return judged.judgement
    },
    has: (caller: Identity): boolean => driver.profile.tokens[caller] !== undefined,
    /** A word of small letters that nothing else on the target has. */
    word(): string {
      words += 1
      return `${client.guard.ledger.tag}x${inLetters(words, 3)}`
    },
    /** Sends nothing where the profile has no token of the caller. */
    async ask(ask: Ask): Promise<Answered> {
      const answer = await once(ask)
      if (!repeats || !answer.isSent || !answer.mayPass || !isOwner(ask.caller)) return answer
      const again = await once(ask)
      return again.isDone ? again : answer
    },
    /** Continues with another profile, such as one without a refused field, and reads the trace so far again. */
    assume(other: Profile): void {
      driver.profile = other
      oracle = new Oracle(knowledgeOf(other))
      for (const exchange of trace) oracle.step(exchange)
    },
  }
  return driver
}

/** What the client sends for a request. */
export function callOf({ op, caller = 'administrator', at = '', raw, headers = {}, ...rest }: Ask): Call {
  const [parameter] = operation(op).parameters
  const isToken = typeof caller === 'string' && caller !== 'nobody'
  const { authorization = null, cookie } = typeof caller === 'string' ? {} : caller
  const further = { ...headers, ...(cookie === undefined ? {} : { cookie }) }
  return {
    operation: op,
    ...rest,
    ...(parameter ? { path: { [parameter.name]: at } } : {}),
    ...(isToken ? { as: caller } : { authorization }),
    ...(raw === undefined ? {} : { rawBody: raw }),
    ...(Object.keys(further).length > 0 ? { headers: further } : {}),
  }
}

/** The kinds of things that a request would create. */
function kindsOf({ op, body }: Ask): readonly ('user' | 'field' | 'link')[] {
  if (op === 'createUser') return ['user']
  if (op !== 'createCustomField' && op !== 'updateCustomField') return []
  const { projects } = (body ?? {}) as { readonly projects?: unknown }
  const links = Array.isArray(projects) && projects.length > 0 ? (['link'] as const) : []
  return op === 'createCustomField' ? ['field', ...links] : links
}

const isOwner = (caller: Caller = 'administrator') => caller === 'administrator' || caller === 'password'
