/** Files that the commands write: none ever stands half-written. */
import { open, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { troubleOf, UsageError } from '../contract/trouble.js'

/**
 * Puts a whole file there at once: a reader sees the old one or the new one, and nobody more than `mode` lets; null leaves
 * that to the system. An error begins with `what`. What a program leaves that is killed meanwhile the next one writes over.
 */
export async function writeWhole(
  what: string,
  file: string,
  text: () => string,
  mode: number | null = null,
): Promise<void> {
  // Renaming onto a symbolic link would put the file in its place.
  const target = await realpath(file).catch(() => file)
  const temporary = join(dirname(target), `.${basename(target)}.tmp`)
  try {
    const handle = await open(temporary, 'w', mode === null ? undefined : 0o600)
    try {
      // The system takes bits away from what `open` is told. Where it knows no modes, none can be kept.
      if (mode !== null) await handle.chmod(mode & 0o777).catch(() => undefined)
      await handle.writeFile(text())
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw new UsageError(`${what} cannot be written: ${troubleOf(error)}`)
  }
}
