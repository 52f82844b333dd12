/** The reference of the README: commands, flags and exit codes as the program's own help tells them, and more. */
import { main } from '../conformance/cli/main.js'
import { operationRows, profileRows, type Rows, stateRows } from './reference-data.js'

const MARKS = ['<!-- reference: made by npm run readme -->', '<!-- end of the reference -->'] as const

/** The README with its reference made anew. Throws where the marks of the place are missing. */
export async function withReference(readme: string): Promise<string> {
  const [before, rest] = readme.split(MARKS[0])
  const after = rest?.split(MARKS[1])[1]
  if (before === undefined || after === undefined)
    throw new Error(`The README needs a line ${MARKS[0]} and a line ${MARKS[1]}`)
  return `${before}${MARKS[0]}\n\n${await reference()}\n${MARKS[1]}${after}`
}

async function reference(): Promise<string> {
  const overview = await help('--help')
  const parts: string[] = []
  for (const [name = '', about = ''] of rowsOf(overview, /^ {2}([a-z]+) +(.+)$/gm)) {
    const text = await help(name, '--help')
    const usage = /^Usage: (.+)$/m.exec(text)?.[1] ?? ''
    const flags = rowsOf(text, /^ {2}(--[\w-]+(?: \S+)?) {2,}(.+)$/gm).filter(([flag]) => flag !== '--help')
    const meanings = flags.map(([flag, meaning]) => [`\`${flag}\``, meaning])
    parts.push(folded(`<code>${usage}</code>: ${about}`, ['flag', 'meaning'], meanings))
  }
  const exits = rowsOf(overview, /^ {2}(\d+) +(.+)$/gm)
  parts.push(
    folded('The 26 operations, below <code>/plugins/Ext</code>', ['id', 'request', 'body'], operationRows()),
    folded('The fields of a profile', ['field', 'meaning'], profileRows()),
    folded("The emulator's starting state", ['', '', 'token'], await stateRows()),
    table(['exit code', 'meaning'], exits),
  )
  return `${parts.join('\n\n')}\n`
}

const folded = (summary: string, head: readonly string[], rows: Rows) =>
  `<details>\n<summary>${summary}</summary>\n\n${table(head, rows)}\n\n</details>`

const rowsOf = (text: string, row: RegExp) =>
  [...text.matchAll(row)].map(([, left = '', right = '']) => [left, right] as const)

function table(head: readonly string[], rows: Rows): string {
  const cells = [
    head,
    head.map(() => '---'),
    ...rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|'))),
  ]
  return cells.map((row) => `| ${row.join(' | ')} |`).join('\n')
}

async function help(...argv: string[]): Promise<string> {
  let text = ''
  const out = (part: string) => {
    text += part
  }
  const signal = new AbortController().signal
  await main(argv, { out, err: out, env: {}, signal, terminal: false, paint: (_, plain) => plain })
  return text
}
