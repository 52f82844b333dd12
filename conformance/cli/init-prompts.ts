/** The prompts of a terminal. They stand on standard error, so that standard output stays what was asked for. */
import { isCancel, log, password, select, text } from '@clack/prompts'
import { Cancelled, type Prompts } from './init-ask.js'

export function terminalPrompts(signal: AbortSignal): Prompts {
  const common = { output: process.stderr }
  /** Each prompt has a signal of its own: it leaves its listener there for good. */
  async function answered(ask: (signal: AbortSignal) => Promise<string | symbol>): Promise<string> {
    if (signal.aborted) throw new Cancelled()
    const own = new AbortController()
    const stop = () => own.abort()
    signal.addEventListener('abort', stop)
    try {
      const answer = await ask(own.signal)
      if (isCancel(answer) || typeof answer === 'symbol') throw new Cancelled()
      // An empty field is no text at all.
      return answer ?? ''
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }
  return {
    text: (message, initialValue) =>
      answered((own) =>
        text({ ...common, signal: own, message, ...(initialValue === undefined ? {} : { initialValue }) }),
      ),
    secret: (message) => answered((own) => password({ ...common, signal: own, message })),
    choose: (message, choices, initialValue) =>
      answered((own) => select({ ...common, signal: own, message, initialValue, options: [...choices] })),
    seen: (line) => log.success(line, common),
    wrong: ({ message }) => log.error(message, common),
  }
}
