/** `tracker-kit contract`: what the kit holds of the interface, for people and programs. */
import { z } from 'zod'
import { openApi, profileSchema } from '../contract/index.js'
import { requirements } from '../requirements/index.js'
import { exitCodes, type Flag, helpText, type Io, nearest, parseFlags, UsageError } from './usage.js'

const flags: Readonly<Record<string, Flag>> = {
  help: { help: 'this text' },
}

const parts: Readonly<Record<string, () => unknown>> = {
  openapi: () => openApi(),
  requirements: () =>
    requirements.map(({ id, level, section, statement, operations, safety }) => ({
      id,
      level,
      section,
      statement,
      operations,
      safety,
    })),
  decisions: async () => {
    const { ledger } = await import('../../emulator/index.js')
    return Object.entries(ledger).map(([id, entry]) => ({
      id,
      operations: entry.operations,
      section: entry.section,
      default: entry.default,
      alternatives: entry.alternatives,
      why: entry.why,
    }))
  },
  profile: () => z.toJSONSchema(profileSchema, { target: 'draft-2020-12', io: 'input' }),
}

export async function contract(argv: readonly string[], io: Io): Promise<number> {
  const { flags: given, positionals } = parseFlags('contract', argv, flags)
  const names = Object.keys(parts)
  if (given.help !== undefined) {
    io.out(
      helpText(`tracker-kit contract ${names.join('|')}`, 'Prints a part of the contract as JSON.', flags),
    )
    return exitCodes.ok
  }
  const [name = ''] = positionals
  const part = Object.hasOwn(parts, name) && positionals.length === 1 ? parts[name] : undefined
  if (!part) {
    const near = nearest(name, names)
    const asked = positionals.length === 1 ? `, not "${name}"${near ? `; did you mean ${near}?` : ''}` : ''
    throw new UsageError(`contract: takes one of ${names.join(', ')}${asked}`)
  }
  io.out(`${JSON.stringify(await part(), null, 2)}\n`)
  return exitCodes.ok
}
