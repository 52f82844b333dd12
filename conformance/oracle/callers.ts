/** Texts on account pages that identify their owner. */
import type { OperationId } from '../contract/index.js'
import { byLabel, groupBy, listsIn, scalars } from './json.js'
import { isServed, type Request } from './request.js'

export const people = ['administrator', 'restricted', 'password']

/** The pages of each caller until it impersonates somebody. */
export function ownPages(requests: readonly Request[], op: OperationId): Request[] {
  const starts = requests.filter((one) => one.op === 'impersonateUser' && one.status === 200)
  const isBefore = ({ caller, n }: Request) => starts.every((start) => start.caller !== caller || start.n > n)
  const isIt = (one: Request) => one.op === op && people.includes(one.caller) && isBefore(one)
  return requests.filter((one) => isServed(one) && isIt(one))
}

export const isTime = (text: string): boolean =>
  /\d{4}-\d\d|\d\d:\d\d|\d{8}T\d\d|(^|\D)1[5-9]\d{8}(\d{3})?(\D|$)|\d \w+ ago\b/.test(text)

/** Texts of a caller that no other caller has. */
export function ownMarks(caller: string, shown: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const others = [...shown].filter(([other]) => other !== caller)
  const isOwn = (text: string) => text.length > 3 && others.every(([, texts]) => !texts.has(text))
  return [...(shown.get(caller) ?? [])].filter(isOwn)
}

/** Texts that most account pages of one caller show, and no page of another. */
export function marksOf(requests: readonly Request[]): Map<string, string[]> {
  const texts = new Map<string, ReadonlySet<string>>()
  for (const [caller, pages] of groupBy(ownPages(requests, 'getAccountPage'), (one) => one.caller)) {
    const shown = pages.map(({ answer }) => new Set(scalars(answer).map(String)))
    const isUsual = (text: string) => shown.filter((page) => page.has(text)).length * 2 > shown.length
    const all = shown.flatMap((page) => [...page])
    texts.set(caller, new Set(all.filter((text) => !isTime(text) && isUsual(text))))
  }
  return new Map([...texts.keys()].map((caller) => [caller, ownMarks(caller, texts)]))
}

/** Names in the first list of fields. */
export function firstNames(requests: readonly Request[]): string[] {
  const first = requests.find((one) => one.op === 'listCustomFields' && isServed(one))
  return [...byLabel(listsIn(first?.answer)[0]).keys()].filter((text) => text.length > 3)
}
