/** Section 4.1, operations 1 and 3: the account and the tokens page are those of the authenticated user. */

import { isObject, mentions, pointersTo, valueAt } from '../client/look.js'
import { needName, usernameNow, usernameOf } from '../suite/identity.js'
import { group } from '../suite/requirement.js'
import type { Check } from '../suite/types.js'

const common = { rank: 130, level: 'must', section: '4.1', safety: 'read', alone: true } as const

export const ownPages = group(common, [
  {
    id: 'account.own-page',
    statement: 'The account page is that of the authenticated user, and not the same for everybody.',
    operations: ['getAccountPage'],
    async check(t, operation) {
      t.need('tokens.restricted')
      await isTheSameAgain(t)
      const name = await needName(t, 'administrator')
      const [mine, other] = [await t.send({ operation }), await t.send({ operation, as: 'restricted' })]
      // A page may list other users too, so the name is the owner's where it stands alone.
      const places = pointersTo(mine.json, (value) => value === name).filter(
        (place) => !isInLongList(mine.json, place),
      )
      if (places.length === 0) t.skip("the account page shows the administrator's name among others only")
      const differs = places.some((place) => valueAt(other.json, place) !== name)
      t.verify(differs, `the page of another user has the administrator's name at ${places[0]}`, other)
    },
  },

  {
    id: 'account.own-tokens',
    statement: 'The tokens page is that of the authenticated user: no token stands on the pages of two.',
    operations: ['getTokensPage'],
    async check(t, operation) {
      t.need('tokens.restricted')
      const mine = await t.send({ operation })
      const other = await t.send({ operation, as: 'restricted' })
      const both = tokensOn(mine.json).filter((record) => tokensOn(other.json).includes(record))
      t.verify(both.length === 0, "the page of another user has one of the administrator's tokens", other)
      const name = await usernameOf(t, 'administrator')
      if (name === null) return
      const places = pointersTo(mine.json, (value) => value === name).filter((place) => isOwner.test(place))
      const wrong = places.find((place) => valueAt(other.json, place) === name)
      // What every page of that user has there is of the instance, and not of the page.
      const elsewhere = async (place: string) =>
        valueAt((await t.send({ operation: 'getAccountPage', as: 'restricted' })).json, place)
      t.verify(
        wrong === undefined || (await elsewhere(wrong)) === name,
        `the page of another user has the administrator's name at ${wrong}`,
        other,
      )
      const owned = ownersOf(mine.json).includes(name) && ownersOf(other.json).includes(name)
      t.verify(!owned, 'the page of another user has a token whose user is the administrator', other)
    },
  },
])

/** The users whose tokens stand in lists of tokens, as far as the tokens themselves tell. */
const ownersOf = (json: unknown): unknown[] =>
  pointersTo(json, isObject)
    .filter((at) => /(^|tokens)\/\d+$/i.test(at))
    .map((at) => valueAt(json, at) as Record<string, unknown>)
    .map((token) => token.user ?? token.username ?? token.user_name ?? token.owner)
    .map((user) => (isObject(user) ? (user.username ?? user.name) : user))

/** Where a page says whose it is. */
const isOwner = /^(\/(data|page|tokens_?page|user|owner|account|me))*\/(user_?name|login|name|user|owner)$/i

/** Asked twice in a row after somebody else, a page names one and the same user. */
async function isTheSameAgain(t: Check): Promise<void> {
  const operation = 'getAccountPage'
  await t.send({ operation, as: 'restricted' })
  const first = await t.send({ operation })
  await t.send({ operation, as: 'restricted' })
  const name = await usernameNow(t, 'administrator')
  const second = await t.send({ operation })
  const again = await usernameNow(t, 'administrator')
  const changed =
    name !== null &&
    again !== null &&
    name !== again &&
    mentions(first.json, name) &&
    !mentions(first.json, again) &&
    mentions(second.json, again) &&
    !mentions(second.json, name)
  t.verify(
    !changed,
    `the administrator's page is that of ${name} after a request of another user, and then that of ${again}`,
    first,
  )
}

/** Records with an id, and an owner or a time of their own, as text: two tokens cannot have all of it in common. */
function tokensOn(json: unknown): string[] {
  return (
    pointersTo(json, isObject)
      // What stands around the page can be the same for everybody.
      .filter((at) => /\/\d+$|token[^/]*$/i.test(at))
      .map((at) => valueAt(json, at) as Record<string, unknown>)
      .filter((record) => 'id' in record && Object.entries(record).some(isOfOne))
      .map((record) => JSON.stringify(record))
  )
}

/** The owner, or the moment it was made. */
const isOfOne = ([name, value]: [string, unknown]) =>
  (/^(user|owner)_?id$/i.test(name) && Number.isInteger(value)) ||
  (/creat|issued|added|since/i.test(name) &&
    typeof value === 'string' &&
    /\d{4}-\d\d-\d\d.\d\d:\d\d/.test(value))

/** Whether a place is in a list of several things. */
function isInLongList(json: unknown, place: string): boolean {
  const names = place.split('/')
  return names.some((_, end) => {
    const outer = valueAt(json, names.slice(0, end).join('/'))
    return Array.isArray(outer) && outer.length > 1
  })
}
