/** The programs that the kit is compared with, in fixed versions, so that two runs compare the same programs. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createProject } from '../compatibility/project.mjs'

const packages = [
  'json-server@0.17.4',
  '@stoplight/prism-cli@5.14.2',
  '@mockoon/cli@9.9.0',
  'autocannon@9.0.0',
]

/** Installs them into `root`, where an earlier run may have done so. */
export async function installPeers(root) {
  const project = await createProject(root, 'peers')
  await project.install(packages)
  return {
    bin: (program) => join(project.folder, 'node_modules', '.bin', program),
    require: createRequire(join(project.folder, 'package.json')),
  }
}
