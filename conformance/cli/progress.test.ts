import { expect, test } from 'vitest'
import type { TestRecord } from '../suite/loop.js'
import { createProgress } from './progress.js'
import type { Io } from './usage.js'

const record = { requirement: 'a', operation: 'getUser', outcome: 'passed', durationMs: 1, failures: [] } as TestRecord
const other = (number: number): TestRecord => ({ ...record, requirement: `a.${number}` })

function progressing(terminal: boolean, total: number, now?: () => number) {
  const lines: string[] = []
  const io = { err: (text: string) => lines.push(text), terminal } as unknown as Io
  return { lines, progress: createProgress(total, io, now) }
}

test('a terminal sees each check in one line', () => {
  const { lines, progress } = progressing(true, 2)
  progress.onRecord(record)
  progress.end()
  expect(lines).toEqual(['\r\u001b[K1/2 checks  a getUser', '\r\u001b[K'])
})

test('a file gets a line every hundred checks, and no control characters', () => {
  const { lines, progress } = progressing(false, 250, () => 0)
  for (let done = 0; done < 250; done++) progress.onRecord(other(done))
  progress.end()
  expect(lines).toEqual(['100/250 checks\n', '200/250 checks\n', '250/250 checks\n'])
})

test('and one when a slow target has kept it waiting', () => {
  let time = 0
  const { lines, progress } = progressing(false, 250, () => time)
  progress.onRecord(other(1))
  time = 6_000
  progress.onRecord(other(2))
  progress.onRecord(other(3))
  expect(lines).toEqual(['2/250 checks\n'])
})
