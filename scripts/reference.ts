/** Tables of the documents: commands, flags and exit codes from the program's own help, and others. */
import { burdens } from '../conformance/report/plan.js'
import { table } from '../conformance/report/words.js'
import { run } from '../fixtures/program.js'
import { controlRows, faultRows, operationRows, profileRows, stateRows } from './reference-data.js'

const tables: Readonly<Record<string, () => string | Promise<string>>> = {
  commands,
  'exit codes': async () =>
    table(['exit code', 'meaning'], rowsOf(await help('--help'), /^ {2}(\d+) +(.+)$/gm)),
  'control plane': async () =>
    table(['request', 'body or query', 'what it does or answers'], await controlRows()),
  burden: () =>
    table(
      ['safety', 'requests of a run', 'disabled users that it leaves'],
      burdens.map(({ safety, requests, disabled }) => [
        `\`${safety}\``,
        `about ${requests}`,
        disabled === 0 ? 'none' : `about ${disabled}`,
      ]),
    ),
  faults: () => table(['field', 'meaning'], faultRows()),
  operations: () => table(['id', 'request', 'body'], operationRows()),
  profile: () => table(['field', 'meaning'], profileRows()),
  state: async () => table(['', '', 'token'], await stateRows()),
}

const MARKED = /<!-- ([a-z ]+): made by npm run readme -->\n.*?<!-- end -->/gs

/** A document with updated tables. Throws on a mark that names no table. */
export async function withTables(text: string): Promise<string> {
  let result = text
  for (const [marked, name = ''] of text.matchAll(MARKED)) {
    const make = tables[name]
    if (!make) throw new Error(`No table is called "${name}", only ${Object.keys(tables).join(', ')}`)
    const made = await make()
    result = result.replace(
      marked,
      () => `<!-- ${name}: made by npm run readme -->\n\n${made}\n\n<!-- end -->`,
    )
  }
  return result
}

async function commands(): Promise<string> {
  const parts: string[] = []
  for (const [name = '', about = ''] of rowsOf(await help('--help'), /^ {2}([a-z]+) +(.+)$/gm)) {
    const text = await help(name, '--help')
    const usage = /^Usage: (.+)$/m.exec(text)?.[1] ?? ''
    const flags = rowsOf(text, /^ {2}(--[\w-]+(?: \S+)?) {2,}(.+)$/gm).filter(([flag]) => flag !== '--help')
    const meanings = flags.map(([flag, meaning]) => [`\`${flag}\``, meaning])
    parts.push(`### ${name}\n\n\`${usage}\`: ${about}\n\n${table(['flag', 'meaning'], meanings)}`)
  }
  return parts.join('\n\n')
}

const rowsOf = (text: string, row: RegExp) =>
  [...text.matchAll(row)].map(([, left = '', right = '']) => [left, right] as const)

const help = async (...argv: string[]) => (await run(...argv)).out
