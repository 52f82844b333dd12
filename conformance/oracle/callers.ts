/** Texts by which a page tells whose it is. */
import type { OperationId } from '../contract/index.js'
import { scalars } from './json.js'
import { isServed, type Request } from './request.js'

const people = ['administrator', 'restricted', 'password']

/** The pages that callers were shown before anybody was impersonated. */
export function ownPages(requests: readonly Request[], op: OperationId): Request[] {
  const end = requests.findIndex((one) => one.op === 'impersonateUser' && one.status === 200)
  const before = end < 0 ? requests : requests.slice(0, end)
  return before.filter((one) => one.op === op && isServed(one) && people.includes(one.caller))
}

const isTime = (text: string) => /\d{4}-\d\d|\d\d:\d\d/.test(text)

/** Texts that stand on the account page of one caller only. Of two reads in a row the second is certainly its own. */
export function marksOf(requests: readonly Request[]): Map<string, string[]> {
  const pages = ownPages(requests, 'getAccountPage')
  const texts = new Map<string, string[]>()
  for (const [index, { caller, answer }] of pages.entries())
    if (pages[index - 1]?.caller === caller && !texts.has(caller))
      texts.set(
        caller,
        scalars(answer)
          .map(String)
          .filter((text) => text.length > 3 && !isTime(text)),
      )
  const isOwn = (caller: string, text: string) =>
    [...texts].every(([other, list]) => other === caller || !list.includes(text))
  return new Map([...texts].map(([caller, list]) => [caller, list.filter((text) => isOwn(caller, text))]))
}

/** Names that the list of fields told before anything was created. */
export function firstNames(requests: readonly Request[]): string[] {
  const first = requests.find((one) => one.op === 'listCustomFields' && isServed(one))
  return scalars(first?.answer).filter((text): text is string => typeof text === 'string' && text.length > 3)
}
