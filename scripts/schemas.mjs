/** Writes the JSON Schemas of the built program to the package: `tracker-kit/schemas/profile.json` and so on. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const dist = fileURLToPath(new URL('../dist', import.meta.url))
const program = `${dist}/conformance/cli/main.js`
const schemas = JSON.parse(
  execFileSync(process.execPath, [program, 'contract', 'schemas'], { encoding: 'utf8' }),
)

mkdirSync(`${dist}/schemas`, { recursive: true })
for (const [name, schema] of Object.entries(schemas))
  writeFileSync(`${dist}/schemas/${name}.json`, `${JSON.stringify(schema)}\n`)
