import { expect, test } from 'vitest'
import { frameworkTrackers } from '../../../fixtures/frameworks/index.js'
import { plan } from './plan.js'
import { runLive } from './run.js'

test('an impersonation that takes the token with it is left again, and taken for no other way', async () => {
  const { start } = frameworkTrackers.find(({ name }) => name === 'problem') ?? {}
  const tracker = await start?.()
  if (!tracker) throw new Error('the tracker is not there')
  try {
    const { profile, baseUrl } = tracker
    const sessions = plan.filter(({ id }) => id === 'sessions')
    const limits = { safety: 'destructive', timeout: 5000, rate: 0, budget: 200, ledgerFile: null } as const
    const { signal } = new AbortController()
    const { trace, left } = await runLive(sessions, { ...limits, profile, signal })
    const begun = trace.exchanges.filter((one) => one.path.endsWith('/impersonate') && one.status === 200)
    expect(begun.length).toBeGreaterThan(1)
    expect(trace.exchanges.filter(({ headers }) => headers['x-mantis-username'] !== undefined)).toEqual([])
    expect(left.filter((line) => line.includes('session'))).toEqual([])
    const answer = await fetch(`${baseUrl}/plugins/Ext/me/account`, {
      headers: { authorization: `Bearer ${profile.tokens.administrator}` },
    })
    expect(await answer.json()).toMatchObject({ data: { userName: 'chief' } })
  } finally {
    await tracker.close()
  }
})
