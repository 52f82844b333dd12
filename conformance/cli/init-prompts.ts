/** Prompts at a terminal. They use standard error, so that standard output has only the result. */
import { isCancel, log, password, select, text } from '@clack/prompts'
import { Cancelled, type Prompts } from './init-fields.js'

export function terminalPrompts(signal: AbortSignal): Prompts {
  const common = { output: process.stderr }
  async function answered(ask: (signal: AbortSignal) => Promise<string | symbol>): Promise<string> {
    if (signal.aborted) throw new Cancelled()
    // Each prompt has its own signal, since it never removes its listener.
    const answer = await ask(AbortSignal.any([signal]))
    if (isCancel(answer) || typeof answer === 'symbol') throw new Cancelled()
    // The prompt returns undefined for an empty field.
    return answer ?? ''
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
