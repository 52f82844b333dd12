/**
 * The checks. Each belongs to a row of the table, and to the column of a Node unless any will do; `run` rejects if the kit
 * does not work, and may return a text for the table. `ruledOut` says why it does not have to work, such as a range in `engines`.
 */
import semver from 'semver'
import { createProject, devDependencies } from './project.mjs'
import * as sources from './sources.mjs'
import { besideTestTools, bundled, embedded, program, resolutions, sizeOf, typed } from './uses.mjs'

/** The tools that judge a package. */
export async function linters({ workshop, tarball }) {
  const tools = await createProject(workshop, 'linters')
  await tools.install(['publint', '@arethetypeswrong/cli'])
  const run = async (...command) => void (await tools.run('npx', command))
  return [
    { row: 'publint', run: () => run('publint', '--strict', tarball) },
    {
      row: 'Are the types wrong? (ES modules alone)',
      run: () => run('attw', tarball, '--profile', 'esm-only'),
    },
  ]
}

/** What `npm install tracker-kit` installs, how large it is, and that it is enough. */
export async function alone({ workshop, tarball, nodes }) {
  return nodes.map((version) => ({
    row: '`npm install tracker-kit` alone: embedded, required, `node:test`, `check`, `serve`',
    column: `Node ${version.major}`,
    async run() {
      const project = (await createProject(workshop, `alone-${version.major}`)).under(version)
      await project.install([tarball])
      await embedded(project)
      await program(project)
      return sizeOf(project)
    },
  }))
}

/** With the tools of its users' tests. */
export async function beside({ workshop, tarball, nodes, pairs }) {
  const checks = []
  for (const { msw, vitest } of pairs) {
    const project = await createProject(workshop, `msw-${msw}-vitest-${vitest}`.replaceAll(/[^\w-]/g, ''))
    await project.install([tarball, `msw@${msw}`, `vitest@${vitest}`])
    const found = [await project.manifest('msw'), await project.manifest('vitest')]
    for (const version of nodes) {
      const under = project.under(version)
      const unfit = found.find(({ engines }) => !semver.satisfies(version.version, engines.node))
      checks.push({
        row: found.map((one) => `${one.name} ${one.version}`).join(', '),
        column: `Node ${version.major}`,
        ...(unfit ? { ruledOut: `${unfit.name} ${unfit.version} needs Node ${unfit.engines.node}` } : {}),
        run: () => besideTestTools(under),
      })
    }
  }
  return checks
}

/** Jest's ways to load modules. */
export async function jest({ workshop, tarball, nodes }) {
  const project = await createProject(workshop, 'jest')
  await project.write(sources.jest)
  const packages = ['jest', 'ts-jest', '@types/jest', 'babel-jest', '@babel/preset-env', 'typescript@6']
  await project.install([tarball, ...packages])
  const { version: found, engines } = await project.manifest('jest')
  const modules = { NODE_OPTIONS: '--experimental-vm-modules' }
  const ways = [
    { name: 'ES modules', config: 'esm.config.cjs', env: modules },
    { name: 'ts-jest to ES modules', config: 'typed.config.cjs', env: modules },
    { name: 'Babel to CommonJS', config: 'babel.config-jest.cjs', env: {} },
    { name: 'require of ES modules', config: 'required.config.cjs', env: modules, node: '>=24.9' },
  ]
  return ways.flatMap(({ name, config, env, node = '*' }) =>
    nodes.map((version) => {
      const unfit = [engines.node, node].find((range) => !semver.satisfies(version.version, range))
      return {
        row: `Jest ${found}, ${name}`,
        column: `Node ${version.major}`,
        ...(unfit ? { ruledOut: `Jest ${found} needs Node ${unfit} for it` } : {}),
        run: async () => void (await project.under(version).run('npx', ['jest', '--config', config], env)),
      }
    }),
  )
}

/** TypeScript projects. */
export async function types({ workshop, tarball, compilers }) {
  const checks = []
  for (const wanted of compilers) {
    const project = await createProject(workshop, `typescript-${wanted.replaceAll(/\W/g, '')}`)
    const { msw, vitest } = devDependencies
    await project.install([tarball, `msw@${msw}`, `vitest@${vitest}`, `typescript@${wanted}`])
    const { version } = await project.manifest('typescript')
    for (const resolution of resolutions)
      checks.push({
        row: `TypeScript ${version}, moduleResolution ${resolution}`,
        run: () => typed(project, resolution),
      })
  }
  return checks
}

/** Recipes for Cypress and Testcontainers, by their types. */
export async function recipes({ workshop, tarball }) {
  const project = await createProject(workshop, 'recipes')
  const tools = ['cypress', 'testcontainers', '@types/node@20', `typescript@${devDependencies.typescript}`]
  await project.install([tarball, ...tools], ['--ignore-scripts'])
  const { version } = await project.manifest('cypress')
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2023', lib: ['es2023', 'dom'], strict: true, noEmit: true },
    ...{ skipLibCheck: true },
  }
  const check = async (name, types, files) => {
    await project.write({
      ...sources.typedRecipes,
      [`${name}.json`]: JSON.stringify({ compilerOptions: { ...compilerOptions, types }, files }),
    })
    await project.run('npx', ['tsc', '-p', `${name}.json`])
  }
  return [
    {
      row: `Cypress ${version}, types of the recipe`,
      run: () => check('cypress', ['cypress'], ['cypress.config.ts', 'users.cy.ts']),
    },
    {
      row: 'Testcontainers, types of the recipe',
      run: () => check('containers', ['node'], ['container.mts']),
    },
  ]
}

/** A web page, whose bundle must contain nothing of Node. */
export async function browser({ workshop, tarball }) {
  const project = await createProject(workshop, 'browser')
  await project.install([tarball, `msw@${devDependencies.msw}`, `vite@${devDependencies.vite}`])
  const { version } = await project.manifest('vite')
  return [{ row: `Vite ${version}, a bundle for the browser`, run: () => bundled(project) }]
}
