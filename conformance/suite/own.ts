/** The things that a run makes for itself, finds again in answers of unknown shape, and removes at the end. */

import type { Client } from '../client/client.js'
import type { Entry, Ledger } from '../client/ledger.js'
import { type Swept, sweep } from '../client/sweep.js'
import type { Profile } from '../contract/index.js'
import { createOwnFields } from './own-fields.js'
import { createMaker } from './own-maker.js'
import { createOwnUsers } from './own-users.js'
import { Skip } from './verdicts.js'

export type Own = ReturnType<typeof createOwn>

/**
 * `given`: the profile as far as the target bears it out by now. `profile`: the whole, for what is put back. `place`: of the
 * check that asks among those that are under way, each of which has another user that it may change.
 */
export function createOwn(
  client: Client,
  profile: Profile,
  ledger: Ledger,
  given = () => profile,
  place = () => 0,
) {
  const maker = createMaker(client, ledger, given)
  const users = createOwnUsers(maker, profile, place)
  const fields = createOwnFields(maker)
  /** What could not be removed when its check had ended. */
  const stuck = new Set<Entry>()
  const swept: Swept[] = []
  const recipients = [...(profile.recipients ?? [])]

  /** What cannot be removed or put back now is tried once more at the end, and told then. */
  async function clean(keep: (entry: Entry) => boolean): Promise<void> {
    const one = await sweep(client, profile, ledger, keep)
    // Most checks leave nothing, so a long run keeps few of them.
    if (one.told.length + one.disabled.length + one.still.length + one.refused.length > 0)
      swept.push({ ...one, left: [] })
  }

  const isShared = ({ kind, name }: Entry) =>
    kind === 'user' ? users.isSharedUser(name) : kind === 'customField' && fields.isSharedField(name)

  return {
    ...users,
    ...fields,
    /** Fresh and plain: small letters alone, unique in the run. */
    name: maker.name,
    get password() {
      return users.password()
    },
    get mayLackField() {
      return fields.mayLackField()
    },
    /** A recipient that may be deleted. */
    recipient(): number {
      const id = recipients.shift()
      if (id === undefined) throw new Skip('the profile has no recipients left to delete')
      return id
    },
    /** A recipient that is still there, for requests that must be refused. */
    presentRecipient: (): number | null => recipients[0] ?? null,
    /** Whoever asked for it, and whether or not it should have been refused. */
    recipientDeleted(id: number) {
      const place = recipients.indexOf(id)
      if (place !== -1) recipients.splice(place, 1)
    },
    /** After a request whose answer was lost: puts back what is shared, and makes other users and fields from then on. */
    async startAfresh() {
      users.forgetUsers()
      fields.forgetField()
      await clean(({ kind }) => kind === 'user' || kind === 'customField')
    },
    /** Removes what a check has left, of `mine` where given: how many fields and enabled users a tracker may have is not shown. */
    async discard(mine?: ReadonlySet<Entry>) {
      // One whose id was told and not asked back yet is proven when it is to be removed.
      const canBeFound = ({ kind, id, told }: Entry) =>
        kind === 'customField' && (id !== null || told.length > 0)
      await this.putBack('session')
      const spent = (entry: Entry) =>
        (mine?.has(entry) ?? true) &&
        (entry.kind === 'user' || canBeFound(entry)) &&
        !isShared(entry) &&
        !stuck.has(entry)
      await clean((entry) => !spent(entry))
      for (const entry of ledger.open.filter(spent)) stuck.add(entry)
    },
    /** Puts back what was changed of this kind. */
    async putBack(kind: Entry['kind']) {
      const isOther = (entry: Entry) =>
        entry.kind !== kind || entry.value === undefined || entry.state === 'gone'
      if (!ledger.open.every(isOther)) await clean(isOther)
    },
    /** Removes what can be removed, and puts back what was changed. */
    async sweep({ keepShared }: { keepShared: boolean }) {
      swept.push(await sweep(client, profile, ledger, keepShared ? isShared : undefined))
    },
    swept,
  }
}
