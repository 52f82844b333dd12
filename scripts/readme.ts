/** Updates the parts of the documents that the program generates: `npm run readme`. */
import { writeFile } from 'node:fs/promises'
import { paths, textOf } from './readme-blocks.js'
import { withTables } from './reference.js'

for (const path of paths) await writeFile(path, await withTables(await textOf(path)))
