import { expect, onTestFinished, test, vi } from 'vitest'
import { writtenIo } from '../../fixtures/io.js'
import { createProgress } from './progress.js'

test('a log has a line each ten seconds, also while nothing moves, and no control characters', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { io, text } = writtenIo()
  const { onProgress: onStory, end } = createProgress(io, 'story')
  onStory('reads', 0, 4)
  onStory('creations', 1, 4)
  expect(text.err).toBe('')
  vi.advanceTimersByTime(20_000)
  end()
  vi.advanceTimersByTime(20_000)
  expect(text.err.split('\n')).toEqual([
    '25 % story 2 of 4 · creations · about 30 s left',
    '25 % story 2 of 4 · creations · about 60 s left',
    '',
  ])
})
