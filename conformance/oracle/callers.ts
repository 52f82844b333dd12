/** Texts on account pages that identify their owner. */
import type { OperationId } from '../contract/index.js'
import { groupBy, scalars } from './json.js'
import { isServed, type Request } from './request.js'

const people = ['administrator', 'restricted', 'password']

/** The pages of callers before the first impersonation. */
export function ownPages(requests: readonly Request[], op: OperationId): Request[] {
  const end = requests.findIndex((one) => one.op === 'impersonateUser' && one.status === 200)
  const before = end < 0 ? requests : requests.slice(0, end)
  return before.filter((one) => one.op === op && isServed(one) && people.includes(one.caller))
}

const isTime = (text: string) => /\d{4}-\d\d|\d\d:\d\d/.test(text)

/** Texts of the last account page of a caller that no other caller's page has. */
export function ownMarks(caller: string, pages: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const others = [...pages].filter(([other]) => other !== caller)
  return [...(pages.get(caller) ?? [])].filter(
    (text) => text.length > 3 && others.every(([, texts]) => !texts.has(text)),
  )
}

/** Texts that most account pages of one caller show, and no page of another. A caller needs two pages at least. */
export function marksOf(requests: readonly Request[]): Map<string, string[]> {
  const texts = new Map<string, string[]>()
  const sure = new Set<string>()
  for (const [caller, pages] of groupBy(ownPages(requests, 'getAccountPage'), (one) => one.caller)) {
    const shown = pages.map(({ answer }) => new Set(scalars(answer).map(String)))
    const isUsual = (text: string) => shown.filter((page) => page.has(text)).length * 2 > shown.length
    const isTelling = (text: string) => text.length > 3 && !isTime(text) && isUsual(text)
    const all = new Set(shown.flatMap((page) => [...page]))
    texts.set(caller, [...all].filter(isTelling))
    if (shown.length > 1) sure.add(caller)
  }
  const isOwn = (caller: string, text: string) =>
    [...texts].every(([other, list]) => other === caller || !list.includes(text))
  const certain = [...texts].filter(([caller]) => sure.has(caller))
  return new Map(certain.map(([caller, list]) => [caller, list.filter((text) => isOwn(caller, text))]))
}

/** Names in the first list of fields. */
export function firstNames(requests: readonly Request[]): string[] {
  const first = requests.find((one) => one.op === 'listCustomFields' && isServed(one))
  return scalars(first?.answer).filter((text): text is string => typeof text === 'string' && text.length > 3)
}
