/** The tarball that npm would publish, and its content. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const { bin, devDependencies, name, version } = JSON.parse(
  await readFile(join(root, 'package.json'), 'utf8'),
)

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
  return join(workshop.folder, packed.filename)
}
