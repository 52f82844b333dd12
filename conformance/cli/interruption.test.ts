/** A destructive run that ends in the middle, and what a sweep makes of what it left. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen } from '../../emulator/http/listen.js'
import { createTracker, type State, type Tracker } from '../../emulator/index.js'
import { isLong } from '../../fixtures/long.js'
import { type Running, run, start } from '../../fixtures/program.js'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tracker-kit-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

interface Served {
  /** Requests that were carried out. */
  readonly count: number
  /** `METHOD /rest/of/path status`, below the extension. */
  readonly line: string
  readonly before: State
  readonly tracker: Tracker
}

/** The run ends when the tracker has carried out such a request, and has not answered it yet. */
interface Moment {
  readonly name: string
  readonly signal: 'SIGINT' | 'SIGKILL'
  readonly is: (served: Served) => boolean
}

const at = (line: RegExp) => (served: Served) => line.test(served.line)
const columnsDiffer = ({ before, tracker }: Served) =>
  JSON.stringify(tracker.snapshot().columnConfigurations) !== JSON.stringify(before.columnConfigurations)
const passwordDiffers = ({ before, tracker }: Served) =>
  before.users.some(({ id, password }) => tracker.db.users.find('id', id)?.password !== password)
const after = (count: number) => (served: Served) => served.count === count

const moments: readonly Moment[] = [
  { name: 'while the plugin is installed', signal: 'SIGINT', is: at(/^POST \/plugin\/\w+\/install 200$/) },
  { name: 'while the plugin is installed', signal: 'SIGKILL', is: at(/^PATCH \/plugin\/\w+ 200$/) },
  { name: 'while the columns are others', signal: 'SIGKILL', is: columnsDiffer },
  { name: 'while the columns are others', signal: 'SIGINT', is: columnsDiffer },
  { name: 'while a setting is another', signal: 'SIGKILL', is: at(/^PATCH \/user-settings 200$/) },
  { name: 'while a setting is another', signal: 'SIGINT', is: at(/^PATCH \/user-settings 200$/) },
  { name: 'while the password is another', signal: 'SIGKILL', is: passwordDiffers },
  { name: 'while the password is another', signal: 'SIGINT', is: passwordDiffers },
  { name: 'after 900 requests', signal: 'SIGKILL', is: after(900) },
  { name: 'after 1500 requests', signal: 'SIGKILL', is: after(1500) },
]

/** A few, since each is a whole run. */
const chosen = isLong ? moments : [0, 6].flatMap((index) => moments[index] ?? [])

describe.each(chosen)('$signal $name', (moment) => {
  test('after a sweep the tracker is as it was', async () => {
    const tracker = await createTracker()
    const before = tracker.snapshot()
    let program: Running | null = null
    let count = 0
    const server = await listen({
      ...tracker,
      async fetch(request) {
        const answer = await tracker.fetch(request)
        if (!program) return answer
        count += 1
        const line = `${request.method} ${new URL(request.url).pathname.replace(/^.*\/plugins\/Ext/, '')} ${answer.status}`
        if (!moment.is({ count, line, before, tracker })) return answer
        const interrupted = program
        program = null
        interrupted.signal(moment.signal)
        // So that it never hears of what was done last.
        if (moment.signal === 'SIGKILL') await interrupted.ended
        return answer
      },
    })
    try {
      const name = moments.indexOf(moment)
      const profile = join(directory, `${name}.json`)
      await writeFile(profile, JSON.stringify(tracker.profileFor(server.url)))
      const out = join(directory, String(name))
      const settingsPage = () => ownPages(tracker)
      const page = await settingsPage()
      const args = ['check', '--profile', profile, '--safety', 'destructive', '--runs', '5', '--seed', '1']
      program = start([...args, '--out', out])
      const { ended } = program
      const { code } = await ended
      expect(program, 'the moment did not come').toBeNull()
      expect(code).toBe(moment.signal === 'SIGINT' ? 130 : null)
      if (moment.signal === 'SIGINT')
        expect(lasting(tracker.snapshot(), before)).toEqual(lasting(before, before))

      const interruptedState = tracker.snapshot()
      const swept = await run('sweep', out, '--profile', profile)
      expect(swept).toMatchObject({ code: 0, err: '', out: expect.stringContaining('0 are left') })
      const now = tracker.snapshot()
      expect(lasting(now, before)).toEqual(lasting(before, before))
      expect(await settingsPage()).toEqual(page)
      const made = now.users.filter(({ id }) => !before.users.some((user) => user.id === id))
      expect(made.filter(({ enabled }) => enabled)).toEqual([])
      // Those that the run itself had done with are no longer in its ledger.
      const wereLeft = made.filter(({ id }) =>
        interruptedState.users.some((user) => user.id === id && user.enabled),
      )
      if (moment.signal === 'SIGKILL') expect(wereLeft.length > 0).toBe(made.length > 0)
      if (moment.signal === 'SIGKILL') {
        // Many are told by their number, with those that were made disabled.
        const names = wereLeft.map(({ username }) => username).filter((name) => !swept.out.includes(name))
        const [, told = 0] = /^ *(\d+) users with /m.exec(swept.out) ?? []
        expect(Number(told)).toBeGreaterThanOrEqual(names.length)
        expect(Number(told)).toBeLessThanOrEqual(made.length)
      }
    } finally {
      await server.close()
    }
  })
})

/** The administrator's settings, and the columns of two callers. */
async function ownPages({ tokens, baseUrl, fetch }: Tracker): Promise<unknown> {
  const as = (token: string) => ({ Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' })
  const columns = (token: string) =>
    new Request(`${baseUrl}/plugins/Ext/manage-columns`, {
      method: 'POST',
      headers: as(token),
      body: JSON.stringify({ project: { id: 1 }, type: 'view' }),
    })
  const page = new Request(`${baseUrl}/plugins/Ext/user-settings`, { headers: as(tokens.administrator) })
  const asked = [page, columns(tokens.administrator), columns(tokens.reporter)]
  return Promise.all(asked.map(async (request) => (await fetch(request)).json()))
}

/**
 * What must be as before. The interface removes no users, with what is theirs, creates no recipients anew, ends no
 * session and unsets neither settings nor columns: the pages of both show that the value is the same.
 */
function lasting(state: State, { users, recipients, columnConfigurations }: State): unknown {
  const isOld = (id: number) => users.some((user) => user.id === id)
  const { schema, lastIds: _, notifications: __, userSettings: ___, ...rest } = state
  return {
    ...rest,
    schema,
    users: state.users.filter(({ id }) => isOld(id)),
    columnConfigurations: state.columnConfigurations.filter(({ user_id, project_id, type }) =>
      columnConfigurations.some(
        (one) => one.user_id === user_id && one.project_id === project_id && one.type === type,
      ),
    ),
    memberships: state.memberships.filter(({ user_id }) => isOld(user_id)),
    tokens: state.tokens.filter(({ kind }) => kind === 'api').map(({ used_at: _, ...token }) => token),
    recipients: state.recipients.filter(({ id }) => !recipients.some((one) => one.id === id)),
    // An installation gives priority and protection anew.
    plugins: state.plugins.map(({ priority, protected: flag, ...plugin }) =>
      plugin.installed ? { priority, flag, ...plugin } : plugin,
    ),
  }
}
