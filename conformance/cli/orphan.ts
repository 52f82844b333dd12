/** Whether the npx that started the program is gone: what ends npx reaches the shell below it, and not the program. */
import { readFileSync } from 'node:fs'
import type { Io } from './usage.js'

const EVERY_MS = 500

/** Calls `end` once npx is gone, where npx has started the program. */
export function followNpx(env: Io['env'], end: () => void): void {
  if (env.npm_lifecycle_event !== 'npx') return
  const before = starters()
  const timer = setInterval(() => {
    if (starters() === before) return
    clearInterval(timer)
    end()
  }, EVERY_MS)
  timer.unref()
}

/** npx runs a shell, which may stay where npx is killed. Where it has become the program itself, npx is the parent. */
function starters(): string {
  const [, name = '', parent = ''] = /\((.*)\) \w (\d+)/.exec(statusOf(process.ppid)) ?? []
  return /^(ba|da|k|z)?sh$/.test(name) ? `${process.ppid} ${parent}` : String(process.ppid)
}

/** Linux alone has such a file. */
function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return ''
  }
}
