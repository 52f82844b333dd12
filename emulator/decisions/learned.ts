/** Behaviour of a live tracker that no named alternative describes and that is copied literally. Empty by default. */
import { z } from 'zod'
import { all, open, withBody } from './define.js'

/** An answer that replaces the emulator's own. Texts may contain `{name}`: see `parametersOf`. */
const answer = z.strictObject({
  status: z.int().min(200).max(599),
  /** Null: no code; `status`: the status of the answer. */
  code: z.literal('status').or(z.int()).nullable().default(null),
  message: z.string().default(''),
  /** All other members. */
  members: z.record(z.string(), z.json()).default({}),
})

export type LearnedAnswer = z.infer<typeof answer>

const rule = z.strictObject({
  /** Absent: for any operation. */
  operation: z.enum(all).optional(),
  /** The outcome in the emulator: `ok`, or the condition of its refusal. Absent: any. */
  outcome: z.string().optional(),
  /** All of these must hold for the request: see `featuresOf`. */
  when: z.array(z.string()).default([]),
  /** Null: the emulator's own answer is used. */
  answer: answer.nullable(),
})

export type LearnedRule = z.infer<typeof rule>

/** A JSON template: `{ "$from": path }` is replaced by a value of the emulator's own answer. */
const shape = z.json()
type Shapes = Partial<Record<string, z.infer<typeof shape>>>
const shapes = z.partialRecord(z.enum(all), shape) as z.ZodType<Shapes>

const accepted = z.strictObject({
  customFieldType: z.array(z.string()).optional(),
  projectLevel: z.array(z.string()).optional(),
  accessLevel: z.array(z.int()).optional(),
  project: z.array(z.string()).optional(),
  column: z.array(z.string()).optional(),
  columnType: z.array(z.string()).optional(),
  /** Options with an accepted value for each; other values of the same kind are accepted, too. */
  userSetting: z.record(z.string(), z.string()).optional(),
  /** The members for the name and the value in an element of updateSettings. */
  settingMembers: z.tuple([z.string(), z.string()]).optional(),
})

export type Accepted = z.infer<typeof accepted>

export const learned = {
  'learned-answers': open<LearnedRule[]>(all, '7', z.array(rule) as z.ZodType<LearnedRule[]>, [], []),
  'answer-shapes': open<Shapes>(all, '4.3', shapes, {}, [], 'bodies'),
  'accepted-values': open<Accepted>(withBody, '2.9', accepted, {}, []),
}
