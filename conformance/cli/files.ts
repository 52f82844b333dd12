/** The folders and JSON files that the commands write. */
import { constants } from 'node:fs'
import { access, mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { troubleOf, UsageError } from '../contract/trouble.js'
import { writeWhole } from '../report/whole-file.js'

export const codeOf = (error: unknown) =>
  (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.message : String(error))

/** Makes a directory of `--out`, at the start, since an error at the end would lose the results. */
export async function makeDirectory(out: string): Promise<void> {
  try {
    await makeFolders(resolve(out))
  } catch (error) {
    throw new UsageError(`--out ${out} cannot be made: ${troubleOf(error)}`)
  }
}

/** Makes folders. Node's recursive `mkdir` loops forever in a folder such as /proc, which answers ENOENT to everything. */
async function makeFolders(path: string): Promise<void> {
  const parent = dirname(path)
  if (!(await stat(parent).catch(() => null))) await makeFolders(parent)
  try {
    await mkdir(path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error
  }
}

/** Throws at the start if the file cannot be written, since an error at the end would lose the results. */
export async function checkWritable(flag: string, file: string): Promise<void> {
  try {
    await access(dirname(file), constants.W_OK)
    if ((await stat(file).catch(() => null))?.isDirectory())
      throw Object.assign(new Error(), { code: 'EISDIR' })
  } catch (error) {
    throw new UsageError(`--${flag} ${file} cannot be written: ${troubleOf(error)}`)
  }
}

/** Flags of files that hold tokens and passwords. */
const secretFlags: readonly string[] = ['state', 'profile-out']
const OWNER_ALONE = 0o600

/** Writes JSON. An existing file keeps its mode. */
export async function writeJson(flag: string, file: string, value: unknown): Promise<void> {
  const mode = (await stat(file).catch(() => null))?.mode ?? (secretFlags.includes(flag) ? OWNER_ALONE : null)
  await writeWhole(`--${flag} ${file}`, file, () => `${JSON.stringify(value, null, 2)}\n`, mode)
}

export interface Saved {
  /** Saves the file a little later, together with the changes up to then. */
  changed(): void
  /** Writes the file a last time. Rejects if it cannot be written. */
  close(): Promise<void>
}

const SAVE_AFTER_MS = 100

/** Saves `value` to a file after changes. An error on the way is reported, and the next change tries again. */
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
    // Writes wait for each other, since they share the temporary file.
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
