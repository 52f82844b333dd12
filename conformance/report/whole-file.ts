/** Writes files so that none is ever half-written. */
import { chmod, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { troubleOf, UsageError } from '../contract/trouble.js'

/**
 * Replaces a file in one step: readers see the old or the new content, and no user gets more access than `mode` grants;
 * null means the system's default. Errors begin with `what`. The next write replaces what a killed program left.
 */
export async function writeWhole(
  what: string,
  file: string,
  text: () => string,
  mode: number | null = null,
): Promise<void> {
  // Renaming onto a symbolic link would replace the link itself.
  const target = await realpath(file).catch(() => file)
  const temporary = join(dirname(target), `.${basename(target)}.tmp`)
  try {
    await rm(temporary, { force: true })
    await writeFile(temporary, text(), { flush: true, mode: mode === null ? 0o666 : 0o600 })
    // The umask removes bits from the mode of a new file. A system without modes rejects chmod, which is ignored.
    if (mode !== null) await chmod(temporary, mode & 0o777).catch(() => undefined)
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw new UsageError(`${what} cannot be written: ${troubleOf(error)}`)
  }
}
