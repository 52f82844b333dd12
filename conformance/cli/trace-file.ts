/** Writes the trace of a command as a HAR file beside its report. */
import { toHar } from '../client/har.js'
import type { OfflineProfile } from '../client/profile.js'
import { redactor } from '../client/redact.js'
import { withoutSecrets } from '../client/tracer.js'
import type { Exchange } from '../oracle/exchange.js'
import { writeWhole } from '../report/whole-file.js'

/** Throws a `UsageError` if the file cannot be written. */
export async function writeTrace(
  file: string,
  trace: readonly Exchange[],
  profile: OfflineProfile,
): Promise<void> {
  const masked = withoutSecrets(trace, redactor(profile))
  await writeWhole(file, file, () => `${JSON.stringify(toHar(masked, profile), null, 1)}\n`)
}
