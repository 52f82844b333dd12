/** The prompts of a terminal. They stand on standard error, so that standard output stays what was asked for. */
import { isCancel, log, password, select, text } from '@clack/prompts'
import { Cancelled, type Prompts } from './init-ask.js'

export function terminalPrompts(signal: AbortSignal): Prompts {
  const common = { output: process.stderr, signal }
  async function answered(ask: () => Promise<string | symbol>): Promise<string> {
    if (signal.aborted) throw new Cancelled()
    const answer = await ask()
    if (isCancel(answer) || typeof answer === 'symbol') throw new Cancelled()
    // An empty field is no text at all.
    return answer ?? ''
  }
  return {
    text: (message, initialValue) =>
      answered(() => text({ ...common, message, ...(initialValue === undefined ? {} : { initialValue }) })),
    secret: (message) => answered(() => password({ ...common, message })),
    choose: (message, choices, initialValue) =>
      answered(() => select({ ...common, message, initialValue, options: [...choices] })),
    seen: (line) => log.success(line, common),
    wrong: (line) => log.error(line, common),
  }
}
