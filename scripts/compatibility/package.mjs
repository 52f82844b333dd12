/** The tarball that npm would publish, and its content. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
export const { bin, devDependencies, name, version } = manifest

/** Builds again, since a run of an older build may have left files; returns the path of the tarball. */
export async function pack(workshop) {
  await workshop.run('npm', ['run', 'build', '--prefix', root])
  const said = await workshop.run('npm', ['pack', root, '--json', '--silent', '--ignore-scripts'])
  const [packed] = JSON.parse(said.slice(said.indexOf('[')))
  const paths = packed.files.map(({ path }) => path)
  const strangers = paths.filter(
    (path) =>
      !/^(dist\/.+\.(js|d\.ts)|dist\/schemas\/\w+\.json|docs\/(recipes\/)?[\w-]+\.md|(dist\/.+\/|dist\/)?[A-Z]+(\.md)?|package\.json)$/.test(
        path,
      ),
  )
  if (strangers.length > 0) throw new Error(`the package should not hold ${strangers.join(', ')}`)
  const { browser, exports } = manifest
  const promised = [bin, ...Object.entries(browser).flat(), ...Object.values(exports)].flatMap((entry) =>
    typeof entry === 'string' ? [entry] : Object.values(entry),
  )
  const isHeld = (promise) => {
    const [begin = '', end] = promise.replace('./', '').split('*')
    return paths.some((path) =>
      end === undefined ? path === begin : path.startsWith(begin) && path.endsWith(end),
    )
  }
  const missing = promised.filter((path) => !isHeld(path))
  if (missing.length > 0) throw new Error(`the package promises ${missing.join(', ')}, but does not hold it`)
  return join(workshop.folder, packed.filename)
}
