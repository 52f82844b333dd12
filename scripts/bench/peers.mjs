/** The programs that the kit is compared with, in fixed versions, so that two runs compare the same programs. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createProject } from '../compatibility/project.mjs'

const packages = {
  'json-server': 'json-server@0.17.4',
  prism: '@stoplight/prism-cli@5.14.2',
  mockoon: '@mockoon/cli@9.9.0',
  autocannon: 'autocannon@9.0.0',
}

/** `root` is the folder in which they are installed, or were by an earlier run. */
export function createPeers(root) {
  const folders = new Map()

  async function installed(name) {
    const project = await createProject(root, name)
    await project.install([packages[name]])
    return project.folder
  }

  function folderOf(name) {
    if (!folders.has(name)) folders.set(name, installed(name))
    return folders.get(name)
  }

  return {
    bin: async (name, program) => join(await folderOf(name), 'node_modules', '.bin', program),
    require: async (name) => createRequire(join(await folderOf(name), 'package.json'))(name),
  }
}
