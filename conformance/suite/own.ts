/** The things that a run makes for itself, finds again in answers of unknown shape, and removes at the end. */

import type { Profile } from '../contract/index.js'
import type { Client } from '../target/client.js'
import type { Entry, Ledger } from '../target/ledger.js'
import { type Swept, sweep } from '../target/sweep.js'
import { createOwnFields } from './own-fields.js'
import { createMaker } from './own-maker.js'
import { createOwnUsers } from './own-users.js'
import type { Own } from './types.js'
import { Skip } from './verdicts.js'

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
): Own {
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
    if (one.told.length + one.disabled.length > 0) swept.push({ ...one, left: [] })
  }

  const isShared = ({ kind, name }: Entry) =>
    kind === 'user' ? users.isSharedUser(name) : kind === 'customField' && fields.isSharedField(name)

  return {
    ...users,
    ...fields,
    name: maker.name,
    get password() {
      return users.password()
    },
    get mayLackField() {
      return fields.mayLackField()
    },
    recipient() {
      const id = recipients.shift()
      if (id === undefined) throw new Skip('the profile has no recipients left to delete')
      return id
    },
    presentRecipient: () => recipients.at(-1) ?? null,
    recipientDeleted(id) {
      const place = recipients.indexOf(id)
      if (place !== -1) recipients.splice(place, 1)
    },
    async startAfresh() {
      users.forgetUsers()
      fields.forgetField()
      await clean(({ kind }) => kind === 'user' || kind === 'customField')
    },
    async discard(mine) {
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
    async putBack(kind) {
      const isOther = (entry: Entry) =>
        entry.kind !== kind || entry.value === undefined || entry.state === 'gone'
      if (!ledger.open.every(isOther)) await clean(isOther)
    },
    async sweep({ keepShared }) {
      swept.push(await sweep(client, profile, ledger, keepShared ? isShared : undefined))
    },
    swept,
  }
}
