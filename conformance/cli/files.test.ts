import { execFileSync } from 'node:child_process'
import { chmodSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { temporaryFiles } from '../../fixtures/folder.js'
import { keepSaved, writeJson } from './files.js'

const { file, write } = temporaryFiles()
const path = file('state.json')
beforeEach(() => void write('state.json', { old: true }))

const read = () => JSON.parse(readFileSync(path, 'utf8'))

describe('writing', () => {
  test('puts another file in the place of the old one, whose readers see the old one', async () => {
    const handle = openSync(path, 'r')
    await writeJson('state', path, { old: false })
    expect(JSON.parse(readFileSync(handle, 'utf8'))).toEqual({ old: true })
    expect(read()).toEqual({ old: false })
  })

  test('leaves the old file where it fails', async () => {
    const toJSON = () => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    }
    const told = `--state ${path} cannot be written: no space is left on the device (ENOSPC)`
    await expect(writeJson('state', path, { toJSON })).rejects.toThrow(told)
    expect(read()).toEqual({ old: true })
    expect(readdirSync(file())).toEqual(['state.json'])
  })

  test.skipIf(process.platform === 'win32')(
    'writes into a pipe or a device, which stays one',
    async () => {
      const pipe = file('pipe')
      execFileSync('mkfifo', [pipe])
      const [written] = await Promise.all([readFile(pipe, 'utf8'), writeJson('out', pipe, { old: false })])
      expect([JSON.parse(written), statSync(pipe).isFIFO()]).toEqual([{ old: false }, true])
    },
    5000,
  )

  const modeOf = (name: string) => statSync(name).mode & 0o777

  test.each([0o600, 0o640, 0o666])('leaves the old file open to whom it was open: %o', async (mode) => {
    chmodSync(path, mode)
    for (const flag of ['state', 'profile-out', 'out'] as const) await writeJson(flag, path, { old: false })
    expect(modeOf(path)).toBe(mode)
    const saved = keepSaved('state', path, () => 1, expect.unreachable)
    saved.changed()
    await saved.close()
    expect([read(), modeOf(path)]).toEqual([1, mode])
  })

  test('makes files that hold tokens for their owner alone, and others as the system does', async () => {
    const before = process.umask(0o022)
    try {
      for (const flag of ['state', 'profile-out', 'out'] as const) {
        await writeJson(flag, file(flag), { tokens: {} })
        expect([flag, modeOf(file(flag))]).toEqual([flag, flag === 'out' ? 0o644 : 0o600])
      }
    } finally {
      process.umask(before)
    }
  })
})
