/** The address of the JSON Schema of a file that the program writes, for editors. */
import { existsSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { version } from '../contract/version.js'

/** The path in a project that has the kit installed; otherwise a URL. `file` is the file that refers to the schema. */
export function schemaFor(name: 'profile' | 'baseline', file: string): string {
  const schema = `tracker-kit/dist/schemas/${name}.json`
  const installed = resolve('node_modules', schema)
  if (!existsSync(installed)) return `https://unpkg.com/${schema.replace('/', `@${version}/`)}`
  const path = relative(dirname(resolve(file)), installed)
    .split(sep)
    .join('/')
  return path.startsWith('.') ? path : `./${path}`
}
