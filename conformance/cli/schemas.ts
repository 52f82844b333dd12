/** JSON Schemas of the files that people write and read, for editors and programs. */
import { z } from 'zod'
import { seedSchema } from '../../emulator/arrange/seed.js'
import { ledger } from '../../emulator/index.js'
import { writtenValue } from '../contract/decisions/index.js'
import { profileFileSchema } from '../contract/index.js'
import { baselineSchema } from '../report/baseline.js'
import { reportSchema } from '../report/report.js'

/** By the name of the file: `profile` is `tracker-kit/schemas/profile.json` in the package. */
export const schemas = () => ({
  profile: jsonSchema(profileFileSchema, 'input'),
  seed: jsonSchema(seedSchema(), 'input'),
  // Both forms of this file share the schemas of the values.
  decisions: jsonSchema(decisionsFile(), 'input', 'ref'),
  baseline: jsonSchema(baselineSchema, 'input'),
  report: jsonSchema(reportSchema, 'output'),
})

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output', reused: 'inline' | 'ref' = 'inline') =>
  z.toJSONSchema(schema, { target: 'draft-2020-12', io, reused })

/** Only the values, or the file of `learn`, which also has the evidence for them. */
function decisionsFile() {
  const values = Object.fromEntries(Object.entries(ledger).map(([id, one]) => [id, schemaOf(one).optional()]))
  const decisions = z.strictObject(values)
  const $schema = z.string().optional()
  return z.union([
    z.strictObject({ $schema, ...values }),
    z.looseObject({ $schema, schema: z.literal('tracker-kit/decisions@1'), decisions }),
  ])
}

type Entry = (typeof ledger)[keyof typeof ledger]

/** An editor shows the question, and a sentence for each value. */
function schemaOf(entry: Entry) {
  const words: Readonly<Record<string, string>> = entry.values
  const named = [entry.default, ...entry.alternatives].map((value) =>
    z.literal(String(value)).describe(words[String(value)] ?? ''),
  )
  const schema: z.ZodType = 'schema' in entry ? entry.schema : z.union(named)
  return schema.describe(`${entry.question} Default: ${writtenValue(entry.default)}. ${entry.why}`)
}
