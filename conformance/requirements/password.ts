/** Sections 2.1, 2.2 and 4.1: the password of an account that is kept for it. */

import type { Answer } from '../client/call.js'
import { recordsWith } from '../client/look.js'
import type { OperationId } from '../contract/index.js'
import { needPasswordToken } from '../suite/existing.js'
import { needName, usernameOf } from '../suite/identity.js'
import { group } from '../suite/requirement.js'
import type { Check, Requirement } from '../suite/types.js'
import { readUser } from '../suite/users.js'

const operation = 'changeOwnPassword'

/** Changes the password account's own password. */
export async function changePassword(t: Check, password_current: string, password: string): Promise<Answer> {
  const body = { password_current, password }
  return t.send({ operation, as: 'password', body })
}

const updateOwn = (t: Check, user_id: string, body: object) =>
  t.send({ operation: 'updateUser', as: 'password', path: { user_id }, body })

/** The account as this run knows it, or a skip. */
function passwordAccount(t: Check): { current: string; next: string } {
  t.need('passwordAccount')
  needPasswordToken(t)
  return t.run.passwordAccount as { current: string; next: string }
}

/** What an administrator is shown of an account, and what a change of its password leaves alone; null where it is not read. */
async function accountOf(t: Check, username: string): Promise<Record<string, string> | null> {
  const { status, json } = await readUser(t, username)
  const [record] = recordsWith(json, username)
  if (status !== 200 || record === undefined) return null
  const members = [
    'realname',
    'real_name',
    'email',
    'access_level',
    'enabled',
    'protected',
    'language',
    'timezone',
  ]
  return Object.fromEntries(members.map((member) => [member, JSON.stringify(record[member])]))
}

/** Passwords that are not the current one, however near they come. */
function wrongPasswords(current: string): string[] {
  const swapped = current.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
  const near = [current.slice(0, -1), `${current}x`, swapped, '']
  return ['Kit-not-the-current-1!', ...near.filter((text) => text !== current)]
}

type Account = ReturnType<typeof passwordAccount>

interface RefusedChange extends Pick<Requirement, 'id' | 'level' | 'section' | 'statement'> {
  readonly what: string
  readonly allowed: readonly number[]
  readonly decision?: string
  /** Each from what is given as the current password to a new one. */
  changes(account: Account, t: Check): readonly (readonly [from: string, to: string])[]
}

const refusedChanges: readonly RefusedChange[] = [
  {
    id: 'account.password-current-checked',
    level: 'must',
    section: '4.1',
    statement: 'A wrong current password is refused, and the password stays as it was.',
    what: 'changing the own password with a wrong current one',
    allowed: [403, 400],
    decision: 'password-current-wrong',
    // The new one given twice is as wrong.
    changes: ({ current, next }) => [...wrongPasswords(current), next].map((wrong) => [wrong, next]),
  },
  {
    id: 'account.password-rules',
    level: 'must',
    section: '2.2',
    statement:
      "A new password that breaks the instance's rules is answered 400, and the password stays as it was.",
    what: 'a new password that the rules forbid',
    allowed: [400],
    changes: ({ current }, t) => [[current, t.need('password.invalid')]],
  },
]

const requirementOf = ({ what, allowed, decision, changes, ...stated }: RefusedChange) => ({
  ...stated,
  operations: [operation] as const,
  async check(t: Check) {
    const account = passwordAccount(t)
    let tried = account.next
    for (const [from, to] of changes(account, t)) {
      tried = to
      const answer = await changePassword(t, from, to)
      if (t.expect(answer, allowed, what) && decision) t.observe(decision, operation, answer.status)
      if (answer.status === 200) await changePassword(t, to, account.current)
    }
    await stillCurrent(t, operation, tried)
  },
})

export const password = group({ rank: 100, level: 'must', safety: 'destructive' }, [
  // Before any wrong password, after which a tracker may refuse the right one for a while.
  {
    id: 'account.password-change',
    section: '2.2',
    statement:
      'With the right current password a change is answered 200, and from then on the new one is the current one.',
    operations: [operation],
    async check(t) {
      const { current, next } = passwordAccount(t)
      const name = await usernameOf(t, 'password')
      const before = name === null ? null : await accountOf(t, name)
      const changed = await changePassword(t, current, next)
      if (!t.expect(changed, 200, 'changing the own password with the right current one')) return
      const after = name === null ? null : await accountOf(t, name)
      const altered =
        before && after && Object.keys(before).find((member) => before[member] !== after[member])
      t.verify(!altered, `with the password the ${altered} of the account has changed`, changed)
      const stale = await changePassword(t, current, next)
      if (stale.status === 401) {
        t.observe('password-effects', operation, 'tokens-revoked')
        t.run.passwordAccount = null
        return
      }
      t.expect(stale, [400, 403], 'giving the former password as the current one')
      const back = await changePassword(t, next, current)
      // Where the former one was accepted, the new one was not stored; that was told.
      if (stale.status !== 200 && mayBeARule(back)) {
        if (await isStoredOtherwise(t, next, current, back)) return
        lost(t)
      }
      const restored = t.expect(back, 200, 'changing the password back, with the new one as the current one')
      t.observe('password-effects', operation, 'The token lives on.')
      // Where the former one was accepted, nothing has changed at all.
      if (!restored && stale.status !== 200) t.run.passwordAccount = null
    },
  },

  ...refusedChanges.map(requirementOf),

  {
    id: 'account.password-by-update',
    section: '4.1',
    statement:
      'Where an update of the own user does not change the password without the current one, it does not with a wrong one either; and where an update with the right one is answered 200, it does.',
    operations: ['updateUser'],
    async check(t) {
      const { current, next } = passwordAccount(t)
      const username = await needName(t, 'password')
      const update = (password_current: string) =>
        updateOwn(t, username, { password: next, password_current })
      // Whether the current one is needed at all is not shown.
      const alone = await updateOwn(t, username, { password: next })
      if (alone.status === 200) {
        if ((await changePassword(t, next, current)).status === 200) {
          t.observe('update-password-who', 'updateUser', 'nobody-needs-current')
          return t.pass()
        }
        await stillCurrent(t, 'updateUser')
        if (t.run.passwordAccount === null) return
      }
      for (const wrong of wrongPasswords(current).slice(0, 2)) {
        const answer = await update(wrong)
        t.observe('update-password-who', 'updateUser', answer.status)
        await stillCurrent(t, 'updateUser')
        if (t.run.passwordAccount === null) return
      }
      const right = await update(current)
      if (right.status !== 200) return
      const back = await changePassword(t, next, current)
      const page = back.status === 403 ? await t.send({ operation: 'getAccountPage', as: 'password' }) : null
      if (page && page.status !== 200) t.inconclusive('the update closed the account to its own user')
      if (mayBeARule(back)) {
        if (await isStoredOtherwise(t, next, current, back, 'updateUser')) return
        const idle = (await changePassword(t, current, next)).status === 200
        if (!idle) lost(t)
        await changePassword(t, next, current)
      }
      if (back.status === 401) t.run.passwordAccount = null
      else t.expect(back, 200, 'using a password that an update set with 200', 'updateUser')
    },
  },
])

/**
 * Proves by a change and one back that the password is what the run takes it for. `tried` is the one whose change was
 * refused: that it is in force now is the only proof of a fault, since wrong passwords may lock an account for a while.
 */
export async function stillCurrent(t: Check, culprit: OperationId, tried?: string): Promise<void> {
  if (t.run.passwordAccount === null) return
  const { current, next } = t.run.passwordAccount
  const there = await changePassword(t, current, next)
  if (there.status === 401) {
    t.run.passwordAccount = null
    return
  }
  const refused = there.status === 400 || there.status === 403
  if (refused && !(await becomesCurrent(t, [next, tried ?? next], current))) {
    t.run.passwordAccount = null
    t.inconclusive('the password account takes no password any more, perhaps for a while only')
  }
  if (!t.expect(there, 200, 'using the current password after a refused change', culprit)) return
  const back = await changePassword(t, next, current)
  if (back.status === 200) return
  // A change that does nothing is for the requirement on changes to tell; it leaves the password known.
  if (back.status !== 401 && (await changePassword(t, current, next)).status === 200) return
  t.run.passwordAccount = null
  if (back.status !== 401 && !mayBeARule(back))
    t.expect(back, 200, 'using the new password after it was changed', operation)
}

/** Whether one of the passwords is the current one; then it is changed to the one that should be. */
async function becomesCurrent(t: Check, candidates: readonly string[], current: string): Promise<boolean> {
  for (const candidate of new Set(candidates))
    if ((await changePassword(t, candidate, current)).status === 200) return true
  return false
}

/**
 * The rules on passwords are not shown: a former one may be refused, and so may a second change within a day. Nor is the
 * status that they are refused with.
 */
const mayBeARule = ({ status }: Answer) => status === 400 || status === 403

/** What a target may make of a password that it stores: cut off, or in another case. */
function otherForms(password: string): string[] {
  const cut = [8, 16, 20, 32, 64, 72].map((length) => password.slice(0, length))
  return [...cut, password.toLowerCase(), password.toUpperCase()].filter((form) => form !== password)
}

/**
 * Where a new password is refused as the current one, another form of it that is accepted proves that it was not stored as
 * it was given: the refusal alone may be a rule. The password is then what it was before.
 */
async function isStoredOtherwise(
  t: Check,
  next: string,
  current: string,
  refused: Answer,
  culprit: OperationId = operation,
): Promise<boolean> {
  if (!(await becomesCurrent(t, otherForms(next), current))) return false
  return !t.verify(
    false,
    'another form of the new password is in force, and not the one given',
    refused,
    culprit,
  )
}

function lost(t: Check): never {
  t.run.passwordAccount = null
  return t.inconclusive('the rules of the instance do not let the password be changed back at once')
}
