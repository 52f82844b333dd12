/** What all subjects of the stress script share. */

export interface Settings {
  readonly seed: number
  /** The number of requests, moments or trackers; each subject has its own default. */
  readonly count: number
  /** Called from time to time with the progress. */
  readonly tell: (text: string) => void
}

export interface Result {
  /** Figures by name, with their unit in the name. */
  readonly figures: Readonly<Record<string, number | string>>
  /** What went wrong, in words; empty if nothing did. */
  readonly troubles: readonly string[]
}

export const megabytes = (bytes: number) => Math.round(bytes / 1e5) / 10

/** The value that this share of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10
}

/** Runs this many workers at once; each takes the next number until all are taken. */
export async function inParallel(workers: number, count: number, work: (index: number) => Promise<void>) {
  const indexes = Array(count).keys()
  const worker = async () => {
    for (const index of indexes) await work(index)
  }
  await Promise.all(Array.from({ length: workers }, worker))
}
