/** Divides the work of a script among threads that run the same script with the same arguments. */
import { parentPort, Worker, workerData } from 'node:worker_threads'

/** Progress is printed after this many results, since the work takes minutes. */
const TOLD_EVERY = 25

/**
 * The results of all tasks, in their order, without those of threads that ended early. `script` is the URL of the
 * script, which calls `workInThread` outside the main thread.
 */
export async function inThreads<Result>(script: string, count: number, total: number): Promise<Result[]> {
  const results: (Result | undefined)[] = []
  let done = 0
  const thread = (index: number) =>
    new Promise<void>((resolve, reject) => {
      new Worker(new URL(script), { workerData: { index, count }, argv: process.argv.slice(2) })
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

/** Does this thread's share of the tasks. */
export async function workInThread(tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
  const { index, count } = workerData as { readonly index: number; readonly count: number }
  for (const [place, task] of tasks.entries())
    if (place % count === index) parentPort?.postMessage([place, await task()])
}
