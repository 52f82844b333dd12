/** The commands that a report offers for copying. */
import type { ReportFailure } from './report.js'

/** The command as people type it: the program is in `node_modules`, not on the PATH. */
export const npx = (command: string) => `npx ${command}`

export const replayOf = ({ replay }: Pick<ReportFailure, 'replay'>) => npx(replay)

/** Introduces the command that also judges what the safety level left out. It changes the target, so not all may run it. */
export const restText = 'More can be checked with this command, which changes the tracker (--plan shows how)'

/** What a curl line needs from the reader: `with the token in TRACKER_TOKEN`, or nothing. */
export function needsOf(curl: string): string {
  const [, variable] = /"Authorization: \S+ +\$(TRACKER_[A-Z_]+)"/.exec(curl) ?? []
  return variable === undefined ? '' : `with the token in ${variable}`
}
