import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createProgress } from './progress.js'
import type { Io } from './usage.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function writing(terminal: boolean, rest: Partial<Io> = {}) {
  const lines: string[] = []
  const paint: Io['paint'] = (colour, text, stream) =>
    stream === 'err' ? `<${colour}>${text}</${colour}>` : text
  const io = { err: (text: string) => lines.push(text), terminal, paint, ...rest } as unknown as Io
  return { lines, io }
}

test('a terminal has one line with the share, the story and the time that is left', () => {
  const { lines, io } = writing(true)
  const { onStory, end } = createProgress(io)
  vi.advanceTimersByTime(10_000)
  onStory('reads', 1, 4)
  vi.advanceTimersByTime(10_000)
  onStory('creations', 2, 4)
  end()
  expect(lines).toEqual([
    '\r\u001b[K█████░░░░░░░░░░░░░░░  25 % story 2 of 4 · reads · about 30 s left',
    '\r\u001b[K██████████░░░░░░░░░░  50 % story 3 of 4 · creations · about 20 s left',
    '\r\u001b[K',
  ])
})

test('a log has a line each ten seconds, also while nothing moves, and no control characters', () => {
  const { lines, io } = writing(false)
  const { onStory, end } = createProgress(io)
  onStory('reads', 0, 4)
  onStory('creations', 1, 4)
  expect(lines).toEqual([])
  vi.advanceTimersByTime(20_000)
  end()
  vi.advanceTimersByTime(20_000)
  expect(lines).toEqual([
    '25 % story 2 of 4 · creations · about 30 s left\n',
    '25 % story 2 of 4 · creations · about 60 s left\n',
  ])
})
