/** `tracker-kit contract`: what the kit knows about the interface, for people and programs. */
import { requestLines, writtenValue } from '../contract/decisions/index.js'
import { noSuch } from '../contract/nearest.js'
import { openApi } from '../contract/openapi.js'
import { UsageError } from '../contract/trouble.js'
import { rules } from '../oracle/judge.js'
import { table } from '../report/words.js'
import { unobservable } from './unobservable.js'
import { type Command, exitCodes } from './usage.js'

const parts: Readonly<Record<string, { json(): unknown; markdown?(): string | Promise<string> }>> = {
  openapi: { json: () => openApi() },
  requirements: { json: () => [...rules.values()], markdown: traceability },
  decisions: { json: decisions, markdown: async () => decisionTable(await decisions()) },
  profile: { json: async () => (await import('./schemas.js')).schemas().profile },
  schemas: { json: async () => (await import('./schemas.js')).schemas() },
}

const names = Object.keys(parts)
const namesOf = (operations: readonly string[]) => (operations.length === 26 ? 'all' : operations.join(', '))

export const contract: Command = {
  about: 'Prints a part of the contract. Its schemas are those of the files of the kit.',
  flags: { markdown: ['', 'print requirements or decisions as tables for people; default JSON'] },
  takes: names.join('|'),
  examples: ['contract requirements --markdown', 'contract openapi > openapi.json'],
  async run({ flags: given, positionals }, io) {
    const [name = ''] = positionals
    const part = Object.hasOwn(parts, name) && positionals.length === 1 ? parts[name] : undefined
    const choice = `takes one of ${names.join(', ')}`
    if (!part) throw new UsageError(positionals.length === 1 ? noSuch('part', name, names) : choice)
    if (given.markdown !== undefined && !part.markdown)
      throw new UsageError(`${name} is JSON alone, without --markdown`)
    const markdown = given.markdown === undefined ? undefined : await part.markdown?.()
    io.out(markdown ?? `${JSON.stringify(await part.json(), null, 2)}\n`)
    return exitCodes.ok
  },
}

/** Lists every statement of the document that is checked, and every one that cannot be checked. */
function traceability(): string {
  const checked = [...rules.values()].map(({ id, level, section, statement, operations }) => [
    ...[section, `\`${id}\``, level, statement, namesOf(operations)],
  ])
  const others = Object.entries(unobservable).flatMap(([section, all]) =>
    Object.entries(all).map(([statement, reason]) => [section, statement, reason]),
  )
  return [
    table(['section', 'requirement', 'level', 'statement', 'operations'], bySection(checked)),
    '',
    'Statements that cannot be judged from outside:',
    '',
    table(['section', 'statement', 'reason'], bySection(others)),
    '',
  ].join('\n')
}

/**
 * `group` is the name of the group for `vary`; `values` has a sentence for each value; `requests` are those whose
 * answers tell the values apart, empty if a value can only be learnt.
 */
async function decisions() {
  const { decisionIds, entry } = await import('../../emulator/decisions/index.js')
  return decisionIds.map((id) => {
    const { operations, section, group, default: fallback, alternatives, question, why, ...more } = entry(id)
    const values: Readonly<Record<string, string>> = more.values
    const about = { id, operations, section, group, default: fallback, alternatives, question }
    return { ...about, values, why, requests: requestLines(id) }
  })
}

/** The default comes first, with the reason for it. */
function decisionTable(entries: Awaited<ReturnType<typeof decisions>>): string {
  const rows = entries.map((entry) => {
    const values = [entry.default, ...entry.alternatives].map(writtenValue)
    const [fallback = '', ...others] = values.map(
      (value) => `\`${value}\`: ${entry.values[value] ?? 'any other legal value'}`,
    )
    const requests = entry.requests.map((line) => `\`${line}\``).join('<br>')
    return [
      ...[entry.section, `\`${entry.id}\``, entry.group, entry.question, `${fallback} (${entry.why})`],
      ...[others.join('<br>'), requests, namesOf(entry.operations)],
    ]
  })
  const texts = ['question', 'default, and why', 'other values', 'requests that tell them apart']
  return `${table(['section', 'decision', 'group', ...texts, 'operations'], rows)}\n`
}

const bySection = (rows: readonly (readonly string[])[]) =>
  rows.toSorted(([a = ''], [b = '']) => a.localeCompare(b, 'en', { numeric: true }))
