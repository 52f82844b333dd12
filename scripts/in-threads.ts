/** Divides the work of a script among threads that run the same script. */
import { parentPort, Worker, workerData } from 'node:worker_threads'

interface Share<Options> {
  readonly options: Options
  readonly index: number
  readonly count: number
}

/** Progress is printed after this many results, since the work takes minutes. */
const TOLD_EVERY = 25

/**
 * The results of all tasks, in their order, without those of threads that ended early. `script` is the URL of the
 * script, which calls `workInThread` outside the main thread.
 */
export async function inThreads<Options, Result>(
  script: string,
  options: Options,
  { count, total }: { readonly count: number; readonly total: number },
): Promise<Result[]> {
  const results: (Result | undefined)[] = []
  let done = 0
  const thread = (index: number) =>
    new Promise<void>((resolve, reject) => {
      new Worker(new URL(script), { workerData: { options, index, count } satisfies Share<Options> })
        .on('message', ([place, result]: [number, Result]) => {
          results[place] = result
          done += 1
          if (done % TOLD_EVERY === 0 || done === total) console.error(`${done}/${total}`)
        })
        .on('error', reject)
        .on('exit', () => resolve())
    })
  await Promise.all(Array.from({ length: count }, (_, index) => thread(index)))
  return results.filter((result) => result !== undefined)
}

/** Does this thread's share of the tasks for its options. */
export async function workInThread<Options, Result>(
  tasksOf: (options: Options) => readonly (() => Promise<Result>)[],
): Promise<void> {
  const { options, index, count } = workerData as Share<Options>
  for (const [place, task] of tasksOf(options).entries())
    if (place % count === index) parentPort?.postMessage([place, await task()])
}
