/** What all subjects of the stress script share. */

export interface Settings {
  readonly seed: number
  /** Requests, moments or trackers; each subject has a default of its own. */
  readonly count: number
  /** Told now and then how far it is. */
  readonly tell: (text: string) => void
}

export interface Result {
  /** Figures by name, with their unit in the name. */
  readonly figures: Readonly<Record<string, number | string>>
  /** What should not be, in words; empty where all is well. */
  readonly troubles: readonly string[]
}

export interface Subject {
  readonly about: string
  readonly count: number
  run(settings: Settings): Promise<Result>
}

export const megabytes = (bytes: number) => Math.round(bytes / 1e5) / 10

/** The value below which so large a share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10
}

/** Runs so many workers at once, each taking the next number until there is none. */
export async function inParallel(
  workers: number,
  count: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) {
      const index = next
      next += 1
      await work(index)
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
}

/** Memory grows that rises by more than a fifth, and by more than `slack` bytes on top, from the first mark to the last. */
export function growth(marks: readonly number[], slack: number): string | null {
  const [first = 0] = marks
  const last = marks.at(-1) ?? 0
  if (last <= first * 1.2 + slack) return null
  return `memory grew from ${megabytes(first)} MB to ${megabytes(last)} MB`
}
