/** Code of the kit's users, by file name. Each file throws or fails if the kit does not work. */
import { readFile } from 'node:fs/promises'

async function recipe(page, kind) {
  const text = await readFile(new URL(`../../docs/recipes/${page}.md`, import.meta.url), 'utf8')
  const [, code] = new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, 'ms').exec(text) ?? []
  if (code === undefined) throw new Error(`docs/recipes/${page}.md has no block ${kind}`)
  return code
}

/** Recipes for tools that are not fully installed here: only their types show whether the recipes are right. */
export const typedRecipes = {
  'cypress.config.ts': await recipe('cypress', 'ts cypress-config'),
  'users.cy.ts': await recipe('cypress', 'ts cypress'),
  'container.mts': await recipe('container', 'ts testcontainers'),
}

const account = `
const get = async (tracker, root) => {
  const headers = { authorization: \`Bearer \${tracker.tokens.administrator}\` }
  const { status } = await fetch(\`\${root}/plugins/Ext/me/account\`, { headers })
  if (status !== 200) throw new Error(String(status))
}
const embed = async (tracker) => {
  const headers = { authorization: \`Bearer \${tracker.tokens.administrator}\`, 'content-type': 'application/json' }
  const body = JSON.stringify({ realname: 'Another Name' })
  const request = new Request(\`\${tracker.baseUrl}/plugins/Ext/users/nina\`, { method: 'PATCH', headers, body })
  const { status } = await tracker.fetch(request)
  if (status !== 200 || tracker.diff().users.changed.length !== 1) throw new Error(String(status))
  const server = await tracker.listen({ port: 0 })
  try {
    await get(tracker, server.url)
  } finally {
    await server.close()
  }
}
`

/** Only Node. */
export const node = {
  'embed.mjs': `
    import { createTracker } from 'tracker-kit'
    ${account}
    await embed(await createTracker())
  `,
  // CommonJS projects can `require` ES modules since Node 20.19.
  'embed.cjs': `
    const { createTracker } = require('tracker-kit')
    ${account}
    createTracker().then(embed)
  `,
  'runner.mjs': await recipe('node-test', 'js node-test'),
}

export const msw = {
  'intercept.mjs': `
    import { setupServer } from 'msw/node'
    import { createTracker } from 'tracker-kit'
    import { handlers } from 'tracker-kit/msw'
    ${account}
    const tracker = await createTracker()
    const server = setupServer(...handlers(tracker))
    server.listen()
    await get(tracker, tracker.baseUrl)
    server.close()
    if (tracker.journal.length !== 1) throw new Error('MSW did not hand the request over')
  `,
}

export const vitest = {
  'conformance.spec.mjs': `
    import { createTracker } from 'tracker-kit'
    import { defineConformance } from 'tracker-kit/conformance'
    const tracker = await createTracker()
    const server = await tracker.listen({ port: 0 })
    defineConformance(tracker.profileFor(server.url), { only: ['getUser'], runs: 5 })
  `,
  'fixture.spec.mjs': `
    import { expect } from 'vitest'
    import { test } from 'tracker-kit/vitest'
    ${account}
    test('a fresh tracker', async ({ tracker }) => {
      expect(tracker).not.toHaveChanged()
      await embed(tracker)
      expect(tracker).toHaveChanged({ users: { changed: 1 } })
    })
  `,
  'vitest.config.mjs': `export default { test: { include: ['*.spec.mjs'] } }`,
}

const jestTest = `test('a client', async () => embed(await createTracker()))`
const babel = `{ presets: [['@babel/preset-env', { targets: { node: 'current' } }]] }`

/** The configurations contain everything that a Jest user must set. */
export const jest = {
  'esm.test.mjs': await recipe('jest', 'js jest'),
  'esm.config.cjs': `module.exports = { testMatch: ['**/esm.test.mjs'] }`,
  'required.test.cjs': `const { createTracker } = require('tracker-kit')\n${account}\n${jestTest}`,
  'required.config.cjs': `module.exports = { testMatch: ['**/required.test.cjs'] }`,
  'babel.test.js': `import { createTracker } from 'tracker-kit'\n${account}\n${jestTest}`,
  'babel.config-jest.cjs': `
    module.exports = {
      testMatch: ['**/babel.test.js'],
      transform: { '\\\\.[cm]?js$': ['babel-jest', ${babel}] },
      transformIgnorePatterns: ['/node_modules/(?!(tracker-kit|@mswjs/data|rettime|outvariant)/)'],
    }
  `,
  'typed.test.ts': `
    import { createTracker, type Tracker } from 'tracker-kit'
    test('a client', async () => {
      const tracker: Tracker = await createTracker()
      const server = await tracker.listen({ port: 0 })
      await server.close()
    })
  `,
  'typed.config.cjs': `
    const tsconfig = { module: 'esnext', moduleResolution: 'bundler', target: 'es2023', isolatedModules: true,
      types: ['jest'], strict: true }
    module.exports = {
      testMatch: ['**/typed.test.ts'],
      extensionsToTreatAsEsm: ['.ts'],
      transform: { '\\\\.ts$': ['ts-jest', { useESM: true, tsconfig, diagnostics: { ignoreCodes: [151001] } }] },
    }
  `,
}

const typed = `
  import { createTracker, type Tracker } from 'tracker-kit'
  import { defineConformance } from 'tracker-kit/conformance'
  import { handlers } from 'tracker-kit/msw'
  import { test } from 'tracker-kit/vitest'
  const use = async (): Promise<unknown> => {
    const tracker: Tracker = await createTracker({ decisions: { 'wrong-method': 'not-found' } })
    const username: string | undefined = tracker.db.users.find('id', 1)?.username
    // @ts-expect-error no such decision
    await createTracker({ decisions: { 'wrong-metod': 'not-found' } })
    return [handlers(tracker), test, username, () => defineConformance(tracker.profile)]
  }
  use()
`

/** \`.mts\` is an ES module and \`.cts\` is CommonJS, whatever the project is. */
export const types = { 'typed.mts': typed, 'typed.cts': typed }

export const browser = {
  'page.js': `
    import { createTracker } from 'tracker-kit'
    import { handlers } from 'tracker-kit/msw'
    const tracker = await createTracker({ baseUrl: 'http://page.test/api/rest' })
    const headers = { authorization: \`Bearer \${tracker.tokens.administrator}\` }
    const { status } = await tracker.fetch(new Request(\`\${tracker.baseUrl}/plugins/Ext/me/account\`, { headers }))
    if (status !== 200 || handlers(tracker).length === 0) throw new Error(String(status))
  `,
  'vite.config.mjs': `
    export default {
      logLevel: 'error',
      build: { target: 'es2023', modulePreload: false, outDir: 'built',
        rolldownOptions: { input: 'page.js', output: { entryFileNames: 'page.mjs' } } },
    }
  `,
}
