/** The folders and JSON files that the commands write. */
import { constants } from 'node:fs'
import { access, mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { troubleOf, UsageError } from '../contract/trouble.js'
import { writeWhole } from '../report/whole-file.js'

export const codeOf = (error: unknown) =>
  (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.message : String(error))

/** The directory of `--out`, made at the start: at the end what was to be written there would be lost. */
export async function makeDirectory(out: string): Promise<void> {
  try {
    await makeFolders(resolve(out))
  } catch (error) {
    throw new UsageError(`--out ${out} cannot be made: ${troubleOf(error)}`)
  }
}

/** Node's own recursive way tries for ever where a folder such as /proc says ENOENT to everything. */
export async function makeFolders(path: string): Promise<void> {
  const parent = dirname(path)
  if (!(await stat(parent).catch(() => null))) await makeFolders(parent)
  try {
    await mkdir(path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error
  }
}

/** Told at the start rather than at the end, when what was to be written would be lost. */
export async function checkWritable(flag: string, file: string, command = 'serve'): Promise<void> {
  try {
    await access(dirname(file), constants.W_OK)
    if ((await stat(file).catch(() => null))?.isDirectory())
      throw Object.assign(new Error(), { code: 'EISDIR' })
  } catch (error) {
    throw new UsageError(`${command}: --${flag} ${file} cannot be written: ${troubleOf(error)}`)
  }
}

/** Flags of files that hold tokens and passwords. */
const secretFlags: readonly string[] = ['state', 'profile-out']
const OWNER_ALONE = 0o600

/** The mode of a file that is there stays as it is. */
export async function writeJson(
  flag: string,
  file: string,
  value: unknown,
  command = 'serve',
): Promise<void> {
  const mode = (await stat(file).catch(() => null))?.mode ?? (secretFlags.includes(flag) ? OWNER_ALONE : null)
  await writeWhole(`${command}: --${flag} ${file}`, file, () => `${JSON.stringify(value, null, 2)}\n`, mode)
}

export interface Saved {
  /** The file is written a little later, together with what changes until then. */
  changed(): void
  /** Writes the file a last time. Rejects where it cannot. */
  close(): Promise<void>
}

const SAVE_AFTER_MS = 100

/** Keeps a file at what `value` gives. What cannot be written on the way is told, and tried again at the next change. */
export function keepSaved(
  flag: string,
  file: string,
  value: () => unknown,
  tell: (trouble: string) => void,
): Saved {
  let timer: NodeJS.Timeout | undefined
  let last: Promise<void> = Promise.resolve()
  const save = () => {
    timer = undefined
    // One after the other: they share the temporary file.
    last = last.catch(() => undefined).then(() => writeJson(flag, file, value()))
    return last
  }
  return {
    changed() {
      timer ??= setTimeout(() => save().catch((error: Error) => tell(error.message)), SAVE_AFTER_MS)
    },
    close() {
      clearTimeout(timer)
      return save()
    },
  }
}
