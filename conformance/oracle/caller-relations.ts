/** Relations of callers: who owns a page, what a session may do, and that equal requests have equal answers. */
import type { OperationId } from '../contract/index.js'
import { isTime, marksOf, ownPages } from './callers.js'
import { did, type Sighting } from './finding.js'
import { folded, groupBy, listsIn, scalars } from './json.js'
import { every } from './operations.js'
import type { Request } from './request.js'
import { must, type Relation } from './statement.js'
import { knownValue } from './things.js'
import type { World } from './world.js'

const isSameRequest = (a: Request | undefined, b: Request): a is Request =>
  a?.op === b.op &&
  a.caller === b.caller &&
  (['path', 'query', 'body'] as const).every((part) => a.exchange[part] === b.exchange[part])
/** Tells whether two requests are less than a minute apart, where a recording tells the times. */
const isSoon = ({ exchange: { startedAt: a } }: Request, { exchange: { startedAt: b } }: Request): boolean =>
  a === undefined || b === undefined || b - a < 60_000

export const callerRelations: readonly Relation[] = [
  {
    ...must('steady', '4', every),
    statement: 'A request that was refused is not accepted when it is sent again at once.',
    *each(request, { requests }) {
      const before = requests.at(-2)
      // An impersonation may hand out several tokens, and only one of them may be valid.
      if (/^(unknown|session)$/.test(request.role) || request.isConcurrent) return
      if (!isSameRequest(before, request) || before.isConcurrent || !isSoon(before, request)) return
      const isRight = !(before.status >= 400 && before.status < 500 && request.status === 200)
      const says = `answered ${before.status}, and 200 when it was sent again`
      const witnesses = [did(request.n, 'was the same request')]
      yield { op: request.op, n: before.n, isRight, says, witnesses }
    },
  },
  {
    ...must('answered', '7', every),
    statement: 'A request that must be refused gets an answer.',
    *each(request, { requests }) {
      const before = requests.at(-2)
      const isAgain = isSameRequest(before, request) && before.status === 0
      if (!request.mustAnswer || (request.status === 0 && !isAgain)) return
      yield { op: request.op, n: request.n, isRight: request.status !== 0, says: 'no answer, twice' }
    },
  },
  {
    ...must('own-page', '4.1', ['getAccountPage', 'getTokensPage']),
    statement: 'The account page and the tokens page are those of the caller.',
    *end({ requests }) {
      const marks = marksOf(requests)
      for (const op of ['getAccountPage', 'getTokensPage'] as const) {
        const pages = ownPages(requests, op)
        for (const { n, caller, answer } of pages) {
          const shown = new Set(scalars(answer).map(String))
          const own = marks.get(caller) ?? []
          if (own.length === 0) continue
          // A page may name others, such as the issuer of a token. A page of another shows all marks of the other.
          const isOf = ([whose, all]: [string, string[]]) =>
            whose !== caller && all.length > 1 && all.every((mark) => shown.has(mark))
          const foreign = [...marks].find(isOf)?.[0]
          const says = `the page of ${caller} is that of ${foreign}`
          yield { op, n, isRight: own.some((mark) => shown.has(mark)) || foreign === undefined, says }
        }
        const groups = [...groupBy(pages, ({ caller }) => caller).values()]
        const [first] = pages
        if (!first || groups.length < 2) continue
        if (op === 'getTokensPage') yield* sameTokens(first, pages)
        if (op !== 'getAccountPage' || pages.length === groups.length) continue
        const isTelling =
          groups.some((own) => groups.some((other) => haveOwnText(own, other))) ||
          scalars(first.answer).length < 4
        const says = 'the account page is the same for everybody'
        yield { op, n: first.n, isRight: isTelling, says, evidence: pages.length }
      }
    },
  },
  {
    ...must('permission.forms', '5', ['getUser', 'getUserEditPage']),
    statement: 'A caller who may not read a user may not read it by another address, nor parts of it.',
    *each(request, { requests, lastChange }) {
      const { op, role, subject, address, caller, n, kind, isRead, status } = request
      const { query } = request.exchange
      if (role !== 'restricted' || !subject || subject.isUnsure || kind !== 'user' || !isRead) return
      const isAlike = (one: Request) => one.op === op && one.caller === caller && one.subject === subject
      // A change in between may be what closes the page.
      const isBefore = (one: Request) => one.n > lastChange && one.n < n && one.exchange.query === ''
      const isOther = (one: Request) => (one.address === address) === (query !== '')
      const other = requests.findLast((one) => isAlike(one) && isBefore(one) && isOther(one))
      if (!other) return
      const isRight =
        query === '' ? (other.status === 200) === (status === 200) : other.status === 200 || status !== 200
      const says = `answered ${status} here, and ${other.status} there`
      yield { op, n, isRight, says, witnesses: [did(other.n, 'was the other form of the address')] }
    },
  },
  {
    ...must('session', '4.1', ['impersonateUser', 'getAccountPage']),
    statement: 'An impersonated session belongs to the user in the path, and has the rights of that user.',
    *end(world) {
      const starts = world.requests.filter(
        ({ op, status, subject }) => op === 'impersonateUser' && status === 200 && subject,
      )
      for (const start of starts) yield* session(start, world)
    },
  },
]

/**
 * Each caller has a token of its own, so two callers do not have the same list of tokens. Only tokens have times, or texts
 * that a trace masks. Two tokens may have one name, but not one id; the time of the last use changes.
 */
function* sameTokens({ op, n }: Request, pages: readonly Request[]): Generator<Sighting> {
  const lists = pages.map(({ answer }) => listsIn(answer)[0] ?? [])
  const isId = (one: string | number) => typeof one === 'number'
  const areNumbered = lists.flat().every((record) => scalars(record).some(isId))
  const lasting = (record: unknown) => scalars(record).filter((one) => !areNumbered || !isTime(String(one)))
  // Tokens of several users may have one name.
  const isOfTokens = (text: string) =>
    isTime(text) || (areNumbered && /"(?!\w*(name|label|title)")\w+":"SECRET\./i.test(text))
  if (!lists.every((list) => isOfTokens(JSON.stringify(list)))) return
  const says = 'the page lists the same tokens for several callers'
  const listOf = ({ answer }: Request) => JSON.stringify((listsIn(answer)[0] ?? []).map(lasting))
  const isOfOne = ([list, some]: [string, Request[]]) =>
    list === '[]' || new Set(some.map(({ caller }) => caller)).size === 1
  const isRight = [...groupBy(pages, listOf)].every(isOfOne)
  yield { op, n, isRight, says, evidence: pages.length }
}

/** Whose session an impersonation hands out, and with which rights, as the requests before the next one show it. */
function* session(start: Request, world: World): Generator<Sighting> {
  const { requests } = world
  const { op, n } = start
  const end = requests.find((one) => one.op === op && one.n > n)?.n ?? Number.POSITIVE_INFINITY
  // The session of an earlier impersonation may go on.
  const earlier = new Set(requests.flatMap((one) => (one.n < n ? one.caller : [])))
  const isOfIt = ({ role, status, caller }: Request) =>
    role === 'session' && status === 200 && !earlier.has(caller)
  const after = requests.filter((one) => isOfIt(one) && one.n > n && one.n < end)
  const pages = after.filter((one) => one.op === 'getAccountPage')
  // A page may be a text of lines, each with its label.
  const unlabelled = (line: string) => line.replace(/^\w+: +/, '')
  const linesOf = (text: unknown) => [text, ...String(text).split('\n').map(unlabelled)].map(folded)
  const shows = (page: Request, some: readonly string[]) =>
    scalars(page.answer)
      .flatMap(linesOf)
      .some((text) => some.includes(text))
  const people = [...marksOf(requests.filter((one) => one.n < n))].map(([caller, all]) => ({
    caller,
    own: all.map(folded),
  }))
  const marks = people.flatMap(({ own }) => own)
  const users = world.of('user').flatMap((one) => [...one.names].map(folded))
  const names = [...(start.subject?.names ?? [])].map(folded)
  // A page that names both the target and the caller does not tell whose session it is.
  const target = pages.find((page) => shows(page, names) && !shows(page, marks))
  const ownersOf = (page: Request) =>
    people.filter(({ own }) => own.length > 1 && own.every((one) => shows(page, [one])))
  const isOfOther = (page: Request) => ownersOf(page).some(({ caller }) => caller !== start.caller)
  const isOfStarter = (page: Request) => ownersOf(page).some(({ caller }) => caller === start.caller)
  // A tracker may prefer the token to the session.
  const isAlone = ({ caller }: Request) => !caller.includes('+')
  const isOfUser = (page: Request) => shows(page, users) && (isAlone(page) || !isOfStarter(page))
  const isWrong = (page: Request) =>
    !shows(page, names) && (isOfUser(page) || isOfOther(page) || (isAlone(page) && shows(page, marks)))
  const isTold = !shows(start, names) && shows(start, users)
  const shown = target ?? pages.find(isWrong) ?? (isTold ? start : undefined)
  // Nobody else's token went along, so a page that names both is that of the session, too.
  const own = target ?? pages.find((page) => isAlone(page) && shows(page, names))
  if (target) yield { op: 'getAccountPage', n: target.n, isRight: true }
  if (shown) {
    // A session that is refused what its starter may do belongs to another, so a page of the starter is at fault.
    const refused = requests.find(
      (one) => one.caller === shown.caller && one.gate === 'gated' && one.status === 403,
    )
    const isStarters = refused && isOfStarter(shown)
    const blamed = isStarters ? ({ op: 'getAccountPage', n: shown.n } as const) : { op, n }
    const says = isStarters
      ? 'it is the page of whoever started the session'
      : 'the session that it hands out is not one of the user in the path'
    const witnesses = isStarters
      ? [did(refused.n, 'was refused in the session')]
      : [did(shown.n, 'showed whose session it is')]
    yield { ...blamed, isRight: target !== undefined, says, witnesses }
  }
  if (!own) return
  const isForbidden = (wanted: OperationId) =>
    requests.some((one) => one.op === wanted && one.role === 'restricted' && one.status === 403)
  // A user of a higher level may do more than the ordinary caller.
  const level = Number(knownValue(start.subject, 'access_level') ?? 0)
  const isOrdinary = level <= (world.knowledge.accessLevel ?? 0)
  const served = after.find(
    (one) => isOrdinary && one.gate === 'gated' && one.caller === own.caller && isForbidden(one.op),
  )
  const says = 'the session has rights that the user does not have'
  yield { op, n: served?.n ?? n, isRight: !served, says, witnesses: [did(n, 'started the session')] }
}

/** Whether all of some pages show a text, no time, that none of the others shows. */
function haveOwnText(pages: readonly Request[], others: readonly Request[]): boolean {
  // A page may be one text of several lines.
  const textsOf = ({ answer }: Request) => scalars(answer).flatMap((one) => String(one).split('\n'))
  const foreign = new Set(others.flatMap(textsOf))
  const [first = [], ...more] = pages.map(textsOf)
  const isSteady = (text: string) => !isTime(text) && more.every((page) => page.includes(text))
  return first.some((text) => !foreign.has(text) && isSteady(text))
}
