/**
 * A script of curl lines that shows a failure again from nothing: what the run had made is made anew under fresh names,
 * ids are read from the answers that tell them, and secrets are shell variables. Where that cannot be done it says why.
 */

import type { Call } from '../client/call.js'
import { headerLines } from '../client/curl.js'
import { isDone } from '../client/judge.js'
import { type Sent, sentFor } from '../client/sent.js'
import { operation as contractOf, type OperationId } from '../contract/index.js'
import {
  bodyOf,
  Cannot,
  headerOf,
  isMadeUp,
  type Secrets,
  VALID,
  variable,
  variables,
  wanted,
} from './shell-secrets.js'
import { type Asked, idIn, type Led, originOf } from './trail.js'

export interface Script {
  /** Null where there is none. */
  readonly text: string | null
  /** Why there is none; null where there is one. */
  readonly cannot: string | null
}

export interface Known extends Secrets {
  /** Stands in the names of all that the run has made. */
  readonly tag: string
  /** The word in the name of the run's own thing that a call names by its id; null where it names none so. */
  wordOf(call: Call): string | null
}

export function scriptOf(led: Led, known: Known): Script {
  try {
    return { text: written(led, known), cannot: null }
  } catch (error) {
    if (!(error instanceof Cannot)) throw error
    return { text: null, cannot: error.message }
  }
}

function written(led: Led, known: Known): string {
  if (led.asked.length === 0) throw new Cannot('no request led to it')
  if (!led.whole) throw new Cannot('another check has asked for it, after requests of its own')
  if (led.more > 0) throw new Cannot(`${led.asked.length + led.more} requests led to it`)
  const asked = withoutIdleReads(led.asked)
  const last = asked.length - 1
  for (const one of asked.slice(0, last)) assertRepeatable(one)
  for (const one of asked) assertPasswordStands(one, known)
  for (const [index, one] of asked.entries()) assertNamed(one, asked.slice(0, index), known)
  const needs = new Set<string>()
  const ids = idsIn(asked, known)
  const lines = asked.map((one, index) => {
    const sent = sentFor(one.answer)
    if (sent === undefined) throw new Cannot('one of its requests was not kept')
    const parts = partsOf(one, sent, known, ids, needs)
    const id = ids.find(({ from }) => from === one)
    const line =
      index === last || isRead(one)
        ? `curl -sS -i ${parts}`
        : id
          ? `${id.name}=$(curl -sS ${parts} | jq -r '${id.filter}')`
          : `curl -sS -o /dev/null -w '%{http_code}\\n' ${parts}`
    return last === 0
      ? line
      : `# ${index + 1}. ${one.call.operation} was answered ${one.answer.status}\n${line}`
  })
  const whole = [...preamble(lines.join('\n'), needs, asked), ...lines].join('\n')
  if (known.redact.literals(whole) !== whole) throw new Cannot('it holds a secret')
  return whole
}

const isRead = ({ call }: Asked) => contractOf(call.operation).method === 'GET'

/** Of the reads before the last request, the one before it of the same operation: the two may have been compared. */
function withoutIdleReads(asked: readonly Asked[]): readonly Asked[] {
  const end = asked.at(-1)
  const twin = asked.slice(0, -1).findLast((one) => isRead(one) && one.call.operation === end?.call.operation)
  return asked.filter((one) => one === end || one === twin || !isRead(one))
}

/** What cannot be done a second time, or not without what the script would have to keep. */
function assertRepeatable({ call, answer }: Asked): void {
  const { operation } = call
  if (!isDone(answer)) return
  if (operation === 'deleteHelpdeskRecipient') throw new Cannot('the recipient that it deletes is gone')
  if (operation === 'changeOwnPassword')
    throw new Cannot('it changes the password of an account, which the replay puts back')
}

/** At the beginning the account has the password that the profile says, and not the other one. */
function assertPasswordStands({ call, answer }: Asked, { profile }: Known): void {
  const { password_current } = (call.body ?? {}) as { password_current?: unknown }
  if (call.operation === 'changeOwnPassword' && isDone(answer))
    if (password_current === profile.passwordAccount?.next)
      throw new Cannot('it needs the account of tokens.password to have its other password')
}

/** Of a long chain of renamings some may not be kept any more: then the user has not the name that the script asks for. */
function assertNamed({ call, answer }: Asked, before: readonly Asked[], { tag }: Known): void {
  const inText = wordsIn(tag)
  const given = new Set(
    before.flatMap((one) => inText(JSON.stringify(one.call.body ?? one.call.rawBody ?? ''))),
  )
  const word = inText(String(call.path?.user_id ?? ''))[0]
  if (word !== undefined && isDone(answer) && !given.has(word))
    throw new Cannot('the request that gave its user the name was not kept')
}

const sharedBy: Partial<Record<OperationId, string>> = {
  manageColumns: 'issue-list columns',
  updateUserSettings: 'user settings',
  updateSettings: 'extension settings',
  installPlugin: 'plugins',
  uninstallPlugin: 'plugins',
  updatePlugin: 'plugins',
}

function preamble(text: string, needs: ReadonlySet<string>, asked: readonly Asked[]): string[] {
  const changed = new Set(
    asked.flatMap(({ call, answer }) => (isDone(answer) ? (sharedBy[call.operation] ?? []) : [])),
  )
  const made = asked.filter(({ call, answer }) => call.operation.startsWith('create') && isDone(answer))
  const hasValid = needs.has(VALID)
  return [
    ...[...needs]
      .filter((name) => name !== VALID)
      .toSorted()
      .map((name) => `: "\${${name}:?set it to ${wanted(name)}}"`),
    ...(changed.size === 0
      ? []
      : [`# It changes ${[...changed].join(' and ')}, and does not put them back.`]),
    ...(made.length === 0
      ? []
      : [`# It leaves what it creates: ${made.map(({ call }) => call.operation).join(', ')}.`]),
    ...(hasValid || /\$\{?TAG\b/.test(text)
      ? ['# A fresh name each second.', `TAG="tk$(date +%s | tail -c 6 | tr 0-9 a-j)"`]
      : []),
    ...(text.includes('TAG_UPPER') ? [`TAG_UPPER=$(printf %s "$TAG" | tr a-z A-Z)`] : []),
    ...(/\$\{?PASSWORD\b/.test(text) ? [`PASSWORD="${PASSWORD}"`] : []),
    // Whoever knows which passwords the tracker takes may set it.
    ...(hasValid ? [`: "\${${VALID}:=${PASSWORD}}"`] : []),
  ]
}

/** Of those that are made anew. It fits any rule that is in common use. */
const PASSWORD = 'Kit$TAG-9!Slate'

interface Id {
  /** Of the shell variable. */
  readonly name: string
  readonly number: number
  readonly from: Asked
  /** For jq. */
  readonly filter: string
}

/** Ids that some request names, with the creation whose answer tells each. */
function idsIn(asked: readonly Asked[], known: Known): Id[] {
  const ids: Id[] = []
  for (const { call } of asked) {
    const number = idIn(call)
    if (isNearId(call, asked, known)) throw new Cannot('it asks for an id of the run in another form')
    if (number === null || ids.some((one) => one.number === number)) continue
    const origin = originOf(call, asked)
    if (origin)
      ids.push({ name: `ID${ids.length + 1}`, number, from: origin.made, filter: filterOf(origin.pointer) })
    else if (known.wordOf(call) !== null)
      throw new Cannot('no answer to its creation shows the id that it is asked for by')
  }
  return ids
}

/** As in `13.0`, `-13`, or 13 and 2 to the power of 32, where a thing of the run has the id 13. */
function isNearId(call: Call, asked: readonly Asked[], known: Known): boolean {
  const [name, value] = Object.entries(call.path ?? {}).find(([one]) => /^(user|field)_id$/.test(one)) ?? []
  const number = Math.abs(Number.parseInt(String(value), 10)) % 2 ** 32
  if (name === undefined || Number.isNaN(number) || String(number) === String(value)) return false
  const near = { ...call, path: { [name]: number } }
  return originOf(near, asked) !== null || known.wordOf(near) !== null
}

const filterOf = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => (/^\d+$/.test(name) ? `[${name}]` : /^[a-z_]\w*$/i.test(name) ? `.${name}` : null))
    .map((name) => name ?? notForJq())
    .join('')
    .replace(/^\[/, '.[')

function notForJq(): never {
  throw new Cannot('the id of what it creates stands at a place that has no simple name')
}

/** The request as arguments of curl. */
function partsOf(one: Asked, sent: Sent, known: Known, ids: readonly Id[], needs: Set<string>): string {
  const { call } = one
  const id = ids.find(({ number }) => number === idIn(call))
  const url = id ? sent.url.replace(new RegExp(`/${id.number}(?=[/?]|$)`), `/${variable(id.name)}`) : sent.url
  const body = sent.body === null ? null : bodyOf(sent.body, call.operation, known, needs)
  if (known.redact.text(url) !== url && !isMadeUp(url, known.redact))
    throw new Cannot('its address holds a secret')
  const headers = Object.fromEntries(
    Object.entries(sent.headers).map(([name, value]) => [name, headerOf(name, value, known, needs)]),
  )
  const word = (text: string) => quoted(freshly(text, known))
  return [
    ...['-X', sent.method],
    ...headerLines(headers, body).flatMap((line) => ['-H', word(line)]),
    ...(body === null ? [] : ['--data-raw', word(body)]),
    word(url),
  ].join(' ')
}

/** Names of the run's own, whole or shortened at the front, under the fresh tag. */
function freshly(part: string, { tag }: Known): string {
  let text = part.replaceAll(tag, variable('TAG')).replaceAll(tag.toUpperCase(), variable('TAG_UPPER'))
  for (let cut = 1; cut <= tag.length - 3; cut++)
    text = text.replace(new RegExp(`${tag.slice(cut)}(?=x[a-z]{3})`, 'g'), variable(`TAG#${'?'.repeat(cut)}`))
  if (text.toLowerCase().includes(tag)) throw new Cannot('it has a name of the run in another form')
  return text
}

/** Double quotes where that reads well, else single ones around what is between the variables. */
function quoted(text: string): string {
  const parts = text.split(variables)
  if (parts.length > 1 && !/["$`\\!]/.test(text))
    return `"${parts.map((part, index) => (index % 2 === 1 ? expanded(part, parts[index + 1]) : part)).join('')}"`
  const words = parts.map((part, index) => {
    if (index % 2 === 1) return `"${expanded(part)}"`
    return part === '' ? '' : `'${part.replaceAll("'", "'\\''")}'`
  })
  return words.join('') || "''"
}

const expanded = (name: string, next = '') =>
  /^\w+$/.test(name) && !/^\w/.test(next) ? `$${name}` : `\${${name}}`

/** The words that a run with this tag makes up: three letters behind the tag, or behind its end where names are short. */
export const wordsIn = (tag: string) => {
  const ends = Array.from({ length: tag.length - 2 }, (_, cut) => tag.slice(cut))
  const word = new RegExp(`(?:${ends.join('|')})x([a-z]{3})`, 'gi')
  return (text: string): string[] => [
    ...new Set([...text.matchAll(word)].map(([, one = '']) => one.toLowerCase())),
  ]
}
