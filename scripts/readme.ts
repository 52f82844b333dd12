/** Writes what the README repeats of the program: `npm run readme`. */
import { readFile, writeFile } from 'node:fs/promises'
import { withReference } from './reference.js'

await writeFile('README.md', await withReference(await readFile('README.md', 'utf8')))
