/** The built `tracker-kit serve` in its own process, which reports its memory. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Profile } from '../../conformance/contract/index.js'

// From the working directory, the root of the package under npm, since this file runs from two places.
const main = join('dist', 'conformance', 'cli', 'main.js')
const probe = pathToFileURL(join('scripts', 'stress', 'heap-probe.mjs')).href

export type Program = Awaited<ReturnType<typeof startServe>>

/** Rejects with the program's output if it does not start. */
export async function startServe(...args: string[]) {
  const child = fork(main, ['serve', '--port', '0', ...args], {
    execArgv: ['--expose-gc', '--import', probe],
    silent: true,
  })
  let said = ''
  let complaints = ''
  child.stderr?.on('data', (chunk) => {
    complaints += chunk
  })
  const ended = once(child, 'close')
  const origin = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      said += chunk
      const [, found] = /^Base URL\s+(http:\/\/[^/]+)\/api\/rest\n[\s\S]*curl /m.exec(said) ?? []
      if (found) resolve(found)
    })
    void ended.then(() => reject(new Error(`tracker-kit serve ended: ${complaints}`)))
  })
  /** `GET` of the control plane. */
  const control = async (name: string): Promise<unknown> =>
    (await fetch(`${origin}/__tracker/${name}`)).json()
  return {
    origin,
    /** The REST root. */
    url: `${origin}/api/rest`,
    profile: (await control('profile')) as Profile,
    control,
    /** Bytes in use after a garbage collection. */
    async memory(): Promise<number> {
      const answer = once(child, 'message')
      child.send('memory')
      return (await answer)[0]
    },
    /** Its output on standard error. */
    get complaints() {
      return complaints
    },
    /** False once it has ended. */
    get runs() {
      return child.exitCode === null && child.signalCode === null
    },
    /** Resolves once it has ended. */
    async end(signal: NodeJS.Signals) {
      child.kill(signal)
      await ended
    },
  }
}
