/** Where an editor finds the JSON Schema of a file that the program writes. */
import { existsSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { version } from '../contract/version.js'

/** In the project that has the kit, else where npm's packages can be read. `file` is what the schema is for. */
export function schemaFor(name: 'profile' | 'baseline', file: string): string {
  const schema = `tracker-kit/dist/schemas/${name}.json`
  const installed = resolve('node_modules', schema)
  if (!existsSync(installed)) return `https://unpkg.com/${schema.replace('/', `@${version}/`)}`
  const path = relative(dirname(resolve(file)), installed)
    .split(sep)
    .join('/')
  return path.startsWith('.') ? path : `./${path}`
}
