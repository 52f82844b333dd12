/** The lines of a report that people copy. */
import type { ReportFailure } from './report.js'

/** As they run it: the program stands in `node_modules`, on no path. */
export const npx = (command: string) => `npx ${command}`

export const replayOf = ({ replay }: Pick<ReportFailure, 'replay'>) => npx(replay)

/** Before the command that also judges what the level of safety left out: it changes the target, so it is not for all. */
export const restText = 'More can be checked with this command, which changes the tracker (--plan shows how)'

/** What the reader has to set for a curl line: `with the token in TRACKER_TOKEN`, or nothing. */
export function needsOf(curl: string): string {
  const [, variable] = /"Authorization: \S+ +\$(TRACKER_[A-Z_]+)"/.exec(curl) ?? []
  return variable === undefined ? '' : `with the token in ${variable}`
}
