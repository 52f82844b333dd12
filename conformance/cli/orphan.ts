/** Notices when npx, which started the program, is gone: a signal to npx reaches only the shell between the two. */
import { readFileSync } from 'node:fs'
import type { Io } from './usage.js'

const EVERY_MS = 500

/** Calls `end` once npx is gone, if npx started the program. */
export function followNpx(env: Io['env'], end: () => void): void {
  if (env.npm_lifecycle_event !== 'npx') return
  const before = starters()
  const timer = setInterval(() => {
    if (starters() === before) return
    clearInterval(timer)
    end()
  }, EVERY_MS).unref()
}

/** The parents to watch: the shell of npx and that shell's parent, since the shell may outlive npx; else npx itself. */
function starters(): string {
  const [, name = '', parent = ''] = /\((.*)\) \w (\d+)/.exec(statusOf(process.ppid)) ?? []
  return /^(ba|da|k|z)?sh$/.test(name) ? `${process.ppid} ${parent}` : String(process.ppid)
}

/** Only Linux has this file. */
function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return ''
  }
}
