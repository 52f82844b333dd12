/** The folders and JSON files that the commands write. */
import { constants, existsSync } from 'node:fs'
import { access, chmod, mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { troubleOf, UsageError } from '../contract/trouble.js'
import { version } from '../contract/version.js'

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

/**
 * Replaces a file in one step: readers see the old or the new content, and no user gets more access than `mode` grants;
 * null means the system's default. Errors begin with `what`. The next write replaces what a killed program left.
 */
export async function writeWhole(what: string, file: string, text: () => string, mode: number | null = null) {
  const isSpecial = (await stat(file).catch(() => null))?.isFile() === false
  // Renaming onto a symbolic link would replace the link itself.
  const target = await realpath(file).catch(() => file)
  const temporary = join(dirname(target), `.${basename(target)}.tmp`)
  try {
    // Renaming onto a pipe or a device, such as /dev/null, would replace it.
    if (isSpecial) return await writeFile(file, text())
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

/** Flags of files that hold tokens and passwords, and so are for their owner alone. */
const secretFlags: readonly string[] = ['state', 'profile-out']

/** Writes JSON. An existing file keeps its mode. */
export async function writeJson(flag: string, file: string, value: unknown): Promise<void> {
  const mode = (await stat(file).catch(() => null))?.mode ?? (secretFlags.includes(flag) ? 0o600 : null)
  await writeWhole(`--${flag} ${file}`, file, () => `${JSON.stringify(value, null, 2)}\n`, mode)
}

/** The JSON Schema for editors of a file: its path in a project that has the kit installed; otherwise a URL. */
export function schemaFor(name: 'profile' | 'baseline', file: string): string {
  const schema = `tracker-kit/dist/schemas/${name}.json`
  const installed = resolve('node_modules', schema)
  if (!existsSync(installed)) return `https://unpkg.com/${schema.replace('/', `@${version}/`)}`
  const path = relative(dirname(resolve(file)), installed)
    .split(sep)
    .join('/')
  return path.startsWith('.') ? path : `./${path}`
}

const SAVE_AFTER_MS = 100

/** Saves `value` to a file after changes. An error on the way is reported, and the next change tries again. */
export function keepSaved(flag: string, file: string, value: () => unknown, tell: (trouble: string) => void) {
  let timer: NodeJS.Timeout | undefined
  let last: Promise<void> = Promise.resolve()
  const save = () => {
    timer = undefined
    // Writes wait for each other, since they share the temporary file.
    last = last.catch(() => undefined).then(() => writeJson(flag, file, value()))
    return last
  }
  return {
    /** Saves the file a little later, together with the changes up to then. */
    changed() {
      timer ??= setTimeout(() => save().catch((error: Error) => tell(error.message)), SAVE_AFTER_MS)
    },
    /** Writes the file a last time. Rejects if it cannot be written. */
    close() {
      clearTimeout(timer)
      return save()
    },
  }
}
