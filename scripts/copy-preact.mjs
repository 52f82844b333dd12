/**
 * Puts the modules of Preact that the inspector's page uses beside the page's own, so that who installs the kit need
 * not install Preact: nothing but the page ever loads it.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { packages } from '../dist/emulator/inspector/assets.js'

const { resolve } = createRequire(import.meta.url)
// Beside the modules, since the package does not export it.
const license = await readFile(new URL('../LICENSE', pathToFileURL(resolve('preact'))), 'utf8')

for (const [name, file] of Object.entries(packages)) {
  const script = await readFile(resolve(name), 'utf8')
  // Nobody serves the maps.
  const unmapped = script.replace(/^\/\/# sourceMappingURL=.*$/m, '')
  await writeFile(
    new URL(`../dist/emulator/inspector/client/${file}`, import.meta.url),
    `/*!\n${license.trim()}\n*/\n${unmapped}`,
  )
}
