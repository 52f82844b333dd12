/**
 * What a live tracker does that no named alternative describes, taken over literally: answers by situation, forms of
 * success bodies, and the values that it accepts. Empty by default.
 */
import { z } from 'zod'
import { all, open, withBody } from './define.js'

/** An answer to give in the place of the emulator's own. Texts may hold `{name}`: see `parametersOf`. */
const answer = z.strictObject({
  status: z.int().min(200).max(599),
  /** Null for none; `status` for the status of the answer. */
  code: z.literal('status').or(z.int()).nullable().default(null),
  message: z.string().default(''),
  /** Null for none. */
  localized: z.string().nullable().default(null),
  /** Members beside those of the document. */
  members: z.record(z.string(), z.json()).default({}),
})

export type LearnedAnswer = z.infer<typeof answer>

const rule = z.strictObject({
  /** Absent: any operation. */
  operation: z.enum(all).optional(),
  /** What the emulator itself would say: `ok`, or the condition of its refusal. */
  outcome: z.string(),
  /** All of them hold of the request: see `featuresOf`. */
  when: z.array(z.string()).default([]),
  /** Null leaves the emulator's own answer. */
  answer: answer.nullable(),
})

export type LearnedRule = z.infer<typeof rule>

/** A JSON template: `{ "$from": path }` stands for a value of the emulator's own answer. */
const shape = z.json()
type Shapes = Partial<Record<string, z.infer<typeof shape>>>

const accepted = z.strictObject({
  customFieldType: z.array(z.string()).optional(),
  projectLevel: z.array(z.string()).optional(),
  accessLevel: z.array(z.int()).optional(),
  project: z.array(z.string()).optional(),
  column: z.array(z.string()).optional(),
  columnType: z.array(z.string()).optional(),
  /** Options with a value that each takes; others of the same kind are taken too. */
  userSetting: z.record(z.string(), z.string()).optional(),
})

export type Accepted = z.infer<typeof accepted>

export const learned = {
  'learned-answers': open<LearnedRule[]>(all, '7', z.array(rule) as z.ZodType<LearnedRule[]>, [], []),
  'answer-shapes': open<Shapes>(
    all,
    '4.3',
    z.partialRecord(z.enum(all), shape) as z.ZodType<Shapes>,
    {},
    [],
    'bodies',
  ),
  'accepted-values': open<Accepted>(withBody, '2.9', accepted, {}, []),
}
