/** What the inspector's page asks for, besides the rest of the control plane. */
import { z } from 'zod'
import type { DecisionWords } from '../../conformance/contract/decisions/index.js'
import { type Probed, probedBy } from '../../conformance/contract/decisions/index.js'
import {
  type Operation,
  type OperationId,
  operationIds,
  operations,
} from '../../conformance/contract/operations.js'
import { version } from '../../conformance/contract/version.js'
import { ConnectionDropped, faultSchema } from '../arrange/faults.js'
import { fixtureOf } from '../arrange/fixture.js'
import { type Decision, type DecisionId, decisionIds, entry } from '../decisions/index.js'
import { controlRoutes } from '../http/control-routes.js'
import { jsonReply, type Reply } from '../http/message.js'
import { parse, pretty, type Route } from '../http/routes.js'
import { references, rowOf, type ShownCollection, shownCollections } from '../state/collections.js'
import { levelName, levelNumbers } from '../state/levels.js'
import type { Tracker, TrackerTokens } from '../types.js'
import { assetRoutes } from './assets.js'
import { eventStream } from './events.js'
import { type Example, examplesOf, namesOf } from './examples.js'
import { page } from './page.js'
import { createSuite, type RunSuite, type Suite } from './suite.js'
import { editRow, tablesOf } from './tables.js'

/** Somebody whom the inspector can send requests as. Tokens stay on this side. */
export interface Role {
  readonly name: string
  readonly username: string
  readonly level: string
}

export interface Overview {
  readonly version: string
  readonly baseUrl: string
  readonly ext: string
  /** Path of the REST root as the journal has it. */
  readonly root: string
  readonly vary: number | null
  readonly operations: readonly OperationId[]
  /** Names of access levels. */
  readonly levels: Readonly<Record<number, string>>
  readonly roles: readonly Role[]
  /** Whether there is a suite to run. */
  readonly suite: boolean
  /** By the name of their group, in the order in which they are shown. */
  readonly tables: Readonly<Record<string, readonly TableShape[]>>
  /** Members that refer to a record by its id: the table, and the member with its name. */
  readonly references: Readonly<Record<string, readonly [table: ShownCollection, name: string]>>
  readonly faultFields: readonly FaultField[]
}

/** What is shown of a collection at first; what has changed is shown in any case. */
export interface TableShape {
  readonly collection: ShownCollection
  readonly title: string
  readonly columns: readonly string[]
}

/** A field of the form for faults. */
export interface FaultField {
  readonly name: string
  readonly label: string
  readonly about: string
  /** `choice`: one of the options. `json`: anything, written as JSON. */
  readonly kind: 'choice' | 'number' | 'text' | 'json'
  readonly options: readonly string[]
  /** Shown at once; the others only once they are asked for. */
  readonly usual: boolean
}

export interface OperationForm extends Pick<Operation, 'id' | 'number' | 'method' | 'path' | 'section'> {
  readonly summary: string
  readonly parameters: readonly string[]
  readonly takesBody: boolean
  readonly example: Example
}

export interface Forms {
  readonly operations: readonly OperationForm[]
  /** What is there to be named, by path parameter. */
  readonly names: Readonly<Record<string, readonly string[]>>
}

export interface LedgerEntry
  extends Pick<Decision, 'operations' | 'section' | Exclude<keyof DecisionWords, 'probe'>> {
  readonly id: DecisionId
  readonly value: unknown
  readonly default: unknown
  readonly alternatives: readonly unknown[]
  /** Other values than those listed are legal too. */
  readonly open: boolean
  /** Requests that show which value it has, over the default starting state. */
  readonly probe: readonly Probed[]
}

/** The answer to a request that the inspector sent. */
export interface SentAnswer {
  /** 0 where a fault ended the connection. */
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
  /** Sequence number of the call in the journal. */
  readonly sequence: number
}

/** Its paths are below `inspector/`, but for the page itself, what happens, and the suite. */
export function inspectorRoutes(tracker: Tracker, runSuite: RunSuite | undefined): readonly Route[] {
  const suite = runSuite ? createSuite(tracker, runSuite) : null
  const routes: Route[] = [
    { route: 'GET ', answer: ({ baseUrl }) => page(tracker, baseUrl, [...controlRoutes, ...routes]) },
    {
      route: 'GET events',
      meaning: 'the journal as it goes on, as server-sent events',
      answer: () => eventStream(tracker, suite),
    },
    ...assetRoutes,
    {
      route: 'GET inspector/overview',
      answer: ({ baseUrl }) => pretty(overviewOf(tracker, baseUrl, suite !== null)),
    },
    { route: 'GET inspector/state', answer: () => pretty(tablesOf(tracker)) },
    {
      route: 'POST inspector/row',
      async answer({ body }) {
        await editRow(tracker, parse(body))
        return pretty({ status: 'ok' })
      },
    },
    {
      route: 'GET inspector/fixture',
      answer: async () => ({
        status: 200,
        headers: [['content-type', 'text/plain; charset=utf-8']],
        body: await fixtureOf(tracker.snapshot()),
      }),
    },
    { route: 'GET inspector/forms', answer: () => pretty(formsOf(tracker)) },
    { route: 'GET inspector/ledger', answer: () => pretty(ledgerOf(tracker)) },
    {
      route: 'POST inspector/send',
      answer({ body }) {
        const request = requestOf(tracker, parse(body))
        return answerTo(tracker, () => tracker.fetch(request))
      },
    },
    {
      route: 'POST inspector/replay',
      answer({ body }) {
        const { sequence } = z.object({ sequence: z.int() }).parse(parse(body))
        return answerTo(tracker, () => tracker.replay(sequence))
      },
    },
    ...(suite ? suiteRoutes(suite) : []),
  ]
  return routes
}

const suiteRoutes = (suite: Suite): readonly Route[] => [
  {
    route: 'GET suite',
    meaning: 'how far the run of the suite is, and what the last one found',
    answer: () => pretty(suite.status),
  },
  {
    route: 'POST suite',
    meaning: 'runs the suite against a copy of the tracker',
    answer: () =>
      suite.start()
        ? jsonReply(202, suite.status)
        : jsonReply(409, { message: 'The suite is running; wait for its end, or stop it' }),
  },
  {
    route: 'DELETE suite',
    meaning: 'stops it',
    answer() {
      suite.stop()
      return pretty(suite.status)
    },
  },
  { route: 'GET suite/report.html', answer: () => report(suite.html) },
]

function overviewOf(tracker: Tracker, baseUrl: string, suite: boolean): Overview {
  const { ext, vary, tokens, db } = tracker
  const roles = Object.entries(tokens).flatMap(([name, secret]): Role[] => {
    const token = db.tokens.find('secret', secret)
    const user = token && db.users.find('id', token.user_id)
    return user ? [{ name, username: user.username, level: levelName(user.access_level) }] : []
  })
  const names = Object.fromEntries(levelNumbers.map((level) => [level, levelName(level)]))
  const { pathname: root } = new URL(tracker.baseUrl)
  return {
    ...{ version, baseUrl, ext, root, vary, operations: operationIds, levels: names, roles, suite },
    ...{ tables: tableShapes(), references: namedReferences, faultFields: faultFields() },
  }
}

function tableShapes(): Overview['tables'] {
  const groups: Record<string, TableShape[]> = {}
  for (const collection of shownCollections) {
    const { shown } = rowOf(collection)
    if (!shown) continue
    const { group, title, columns } = shown
    groups[group] = [...(groups[group] ?? []), { collection, title, columns }]
  }
  return groups
}

const namedReferences = Object.fromEntries(
  Object.entries(references).map(([member, { collection, name }]) => [member, [collection, name] as const]),
)

interface FieldSchema {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly anyOf?: unknown
  readonly usual?: boolean
}

/** As the schema of a fault has them. */
function faultFields(): FaultField[] {
  const { properties = {} } = z.toJSONSchema(faultSchema)
  return Object.entries(properties as Readonly<Record<string, FieldSchema>>).map(([name, field]) => ({
    name,
    label: field.title ?? name,
    about: field.description ?? '',
    kind: field.enum ? 'choice' : field.type === 'number' ? 'number' : field.anyOf ? 'text' : 'json',
    options: field.enum ?? [],
    usual: field.usual ?? false,
  }))
}

function formsOf({ profile, db }: Tracker): Forms {
  const examples = examplesOf(profile, db)
  return {
    operations: operations.map(({ id, number, method, path, section, summary, parameters, body }) => ({
      id,
      number,
      method,
      path,
      section,
      summary,
      parameters: parameters.map(({ name }) => name),
      takesBody: body !== undefined,
      example: examples[id],
    })),
    names: namesOf(db),
  }
}

function ledgerOf({ decisions, ext }: Tracker): LedgerEntry[] {
  return decisionIds.map((id) => {
    const decision = entry(id)
    const { operations: on, section, question, values, why, alternatives } = decision
    const open = 'schema' in decision
    return {
      id,
      value: decisions[id],
      default: decision.default,
      alternatives,
      open,
      operations: on,
      section,
      question,
      values,
      why,
      probe: probedBy(id, ext),
    }
  })
}

const sent = z.strictObject({
  /** A role, or null for no token at all. */
  as: z.string().nullable(),
  method: z.string(),
  /** Below the REST root, with the query. */
  path: z.string().startsWith('/'),
  body: z.string().nullable(),
})

function requestOf(tracker: Tracker, value: unknown): Request {
  const result = sent.safeParse(value)
  if (!result.success) throw new TypeError('A request has as, method, path and body')
  const { as, method, path, body } = result.data
  const headers = new Headers()
  if (as !== null) {
    if (!Object.hasOwn(tracker.tokens, as)) throw new RangeError(`There is no role "${as}"`)
    headers.set('authorization', `Bearer ${tracker.tokens[as as keyof TrackerTokens]}`)
  }
  if (body !== null) headers.set('content-type', 'application/json')
  return new Request(tracker.baseUrl + path, { method, headers, body })
}

async function answerTo(tracker: Tracker, send: () => Promise<Response>): Promise<Reply> {
  const sequence = () => tracker.journal.at(-1)?.sequence ?? 0
  try {
    const response = await send()
    const number = sequence()
    const { status, headers } = response
    const answer: SentAnswer = {
      status,
      headers: [...headers],
      body: await response.text(),
      sequence: number,
    }
    return pretty(answer)
  } catch (error) {
    if (!(error instanceof ConnectionDropped)) throw error
    const body = 'A fault ended the connection.'
    return pretty({ status: 0, headers: [], body, sequence: sequence() } satisfies SentAnswer)
  }
}

function report(html: string | null): Reply {
  if (html === null) return jsonReply(404, { message: 'There is no report yet; POST to suite runs it' })
  return { status: 200, headers: [['content-type', 'text/html; charset=utf-8']], body: html }
}
