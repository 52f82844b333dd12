import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { keepSaved, writeJson } from './files.js'

let directory: string
let path: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tracker-kit-'))
  path = join(directory, 'state.json')
  writeFileSync(path, JSON.stringify({ old: true }))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const read = () => JSON.parse(readFileSync(path, 'utf8'))

describe('writing', () => {
  test('puts another file in the place of the old one, whose readers see the old one', async () => {
    const handle = openSync(path, 'r')
    await writeJson('state', path, { old: false })
    expect(JSON.parse(readFileSync(handle, 'utf8'))).toEqual({ old: true })
    expect(read()).toEqual({ old: false })
  })

  test('leaves the old file where it fails', async () => {
    const failing = {
      toJSON() {
        throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      },
    }
    await expect(writeJson('state', path, failing)).rejects.toThrow(
      `serve: --state ${path} cannot be written: no space is left on the device (ENOSPC)`,
    )
    expect(read()).toEqual({ old: true })
    expect(readdirSync(directory)).toEqual(['state.json'])
  })

  test('takes changes that follow each other together', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const values = [1, 2, 3]
      const saved = keepSaved('state', path, () => values.shift(), expect.unreachable)
      for (let n = 0; n < 5; n++) saved.changed()
      expect(vi.getTimerCount()).toBe(1)
      vi.runAllTimers()
      saved.changed()
      await saved.close()
      expect(vi.getTimerCount()).toBe(0)
      expect(read()).toBe(2)
    } finally {
      vi.useRealTimers()
    }
  })
})
