/** The lines of a report that people copy. */
import type { ReportFailure } from './report.js'

/** As they run it: the program stands in `node_modules`, on no path. */
export const replayOf = ({ replay }: Pick<ReportFailure, 'replay'>) => `npx ${replay}`

/** What the reader has to set for a curl line: `with the token in TRACKER_TOKEN`, or nothing. */
export function needsOf(curl: string): string {
  const [, variable] = /"Authorization: \S+ +\$(TRACKER_[A-Z_]+)"/.exec(curl) ?? []
  return variable === undefined ? '' : `with the token in ${variable}`
}
