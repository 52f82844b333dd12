import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TestRecord } from '../suite/loop.js'
import { createProgress, createSteps } from './progress.js'
import type { Io } from './usage.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const record: TestRecord = {
  ...{ requirement: 'users.create', operation: 'createUser', outcome: 'passed', failures: [] },
  ...{ durationMs: 1, requests: 1 },
}

function writing(terminal: boolean, rest: Partial<Io> = {}) {
  const lines: string[] = []
  const paint: Io['paint'] = (colour, text, stream) =>
    stream === 'err' ? `<${colour}>${text}</${colour}>` : text
  const io = { err: (text: string) => lines.push(text), terminal, paint, ...rest } as unknown as Io
  return { lines, io }
}

test('a terminal has one line with the share, the counts in colour, the area and the time that is left', () => {
  const { lines, io } = writing(true)
  const progress = createProgress(['users.create', 'users.create', 'plugins.list', 'plugins.install'], io)
  vi.advanceTimersByTime(10_000)
  progress.onRecord(record)
  vi.advanceTimersByTime(10_000)
  progress.onRecord({ ...record, outcome: 'failed' })
  vi.advanceTimersByTime(200)
  progress.onRecord({ ...record, requirement: 'plugins.list', outcome: 'skipped' })
  progress.end()
  expect(lines).toEqual([
    '\r\u001b[K█████░░░░░░░░░░░░░░░  25 % 0/3 requirements · users · about 30 s left',
    '\r\u001b[K██████████░░░░░░░░░░  50 % 1/3 requirements, <red>1 failed</red> · users · about 20 s left',
    '\r\u001b[K███████████████░░░░░  75 % 2/3 requirements, <red>1 failed</red>, <yellow>1 skipped</yellow> · plugins · about 10 s left',
    '\r\u001b[K',
  ])
})

test('the line is redrawn now and then, and stays on one row', () => {
  const { lines, io } = writing(true, { columns: 40 })
  const progress = createProgress(
    Array.from({ length: 50 }, () => 'users.create'),
    io,
  )
  for (let done = 0; done < 49; done++) {
    vi.advanceTimersByTime(10)
    progress.onRecord(record)
  }
  expect(lines.length).toBeLessThan(8)
  for (const line of lines) expect(line.replace('\r\u001b[K', '').length).toBeLessThanOrEqual(40)
})

test('a log has a line each ten seconds, also while nothing moves, and no control characters', () => {
  const { lines, io } = writing(false)
  const progress = createProgress(
    Array.from({ length: 200 }, (_, index) => (index < 50 ? 'users.create' : `plugins.${index}`)),
    io,
  )
  for (let done = 0; done < 50; done++) progress.onRecord(record)
  expect(lines).toEqual([])
  vi.advanceTimersByTime(20_000)
  progress.end()
  vi.advanceTimersByTime(20_000)
  expect(lines).toEqual([
    '25 % 1/151 requirements · users · about 30 s left\n',
    '25 % 1/151 requirements · users · about 60 s left\n',
  ])
})

test('a long rest is told in minutes', () => {
  const { lines, io } = writing(false)
  const steps = createSteps(io)
  steps.step({ done: 1, total: 30, area: 'plugins' })
  vi.advanceTimersByTime(10_000)
  steps.end()
  expect(lines).toEqual(['3 % plugins · about 5 min left\n'])
})
