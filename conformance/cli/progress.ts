/**
 * The progress of a run: the share that is done, the current area and the time left. A terminal shows one line that is
 * redrawn; elsewhere a line follows each ten seconds, so that a slow target does not look dead.
 */
import type { Io } from './usage.js'

const PLAIN_EVERY_MS = 10_000
/** A line that is redrawn more often flickers. */
const REDRAW_MS = 100
/** An earlier estimate of the time left would be a guess. */
const ESTIMATED_AFTER_MS = 3_000
const BAR = 20

/** The area that is being checked, and how many of all are done. */
type At = Readonly<Record<'done' | 'total', number>> & { readonly area: string }

/** Time counts from this call. `unit` is what is counted beside the share, such as `story`. */
export function createProgress(io: Io, unit: string | null = null) {
  const begun = Date.now()
  let at: At | null = null
  let drawn = -Infinity

  const draw = () => {
    if (at === null) return
    drawn = Date.now()
    const line = lineOf(at, drawn - begun, unit, io)
    if (io.terminal) io.err(`\r\u001b[K${line}`)
    else io.err(`${line}\n`)
  }
  const timer = io.terminal ? null : setInterval(draw, PLAIN_EVERY_MS).unref()

  return {
    onProgress(area: string, done: number, total: number) {
      at = { area, done, total }
      if (io.terminal && (Date.now() - drawn >= REDRAW_MS || done === total)) draw()
    },
    end() {
      if (timer) clearInterval(timer)
      if (io.terminal) io.err('\r\u001b[K')
    },
  }
}

function lineOf({ done, total, area }: At, passedMs: number, unit: string | null, io: Io): string {
  const share = total === 0 ? 1 : Math.min(1, done / total)
  const percent = `${String(Math.floor(100 * share)).padStart(3)} %`
  const counts = unit === null ? '' : `${unit} ${done + 1} of ${total}`
  const parts = [counts, area, leftText(share, passedMs)].filter(Boolean).join(' · ')
  if (!io.terminal) return `${percent.trim()} ${parts}`
  const filled = Math.round(BAR * share)
  const room = (io.columns || 100) - BAR - percent.length - 3
  const shown = parts.length > room ? `${parts.slice(0, Math.max(0, room - 1))}…` : parts
  return `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${percent} ${shown}`
}

/** `about 40 s left`, rounded to what is reliable. */
function leftText(share: number, passedMs: number): string | null {
  if (passedMs < ESTIMATED_AFTER_MS || share < 0.02 || share >= 1) return null
  const seconds = (passedMs / 1000) * (1 / share - 1)
  if (seconds < 90) return `about ${Math.max(5, 5 * Math.ceil(seconds / 5))} s left`
  return `about ${Math.ceil(seconds / 60)} min left`
}
