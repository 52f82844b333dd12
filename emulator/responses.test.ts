/** The compiler compares the types of the answers with the examples, which another test compares with the emulator. */
import { expectTypeOf, test } from 'vitest'
import type { successes } from '../conformance/contract/examples.js'
import type { OperationId, Responses } from './index.js'

type Answers = { readonly [K in OperationId]: (typeof successes)[K]['answer'] }

/** The answer with `select` shows less. */
type Whole = Omit<Answers, 'getUser'> & { readonly getUser: (typeof successes)['getUser']['unselected'] }

/** Members of an answer, however deep, that its type does not have. */
type Unknown<Answer, Type> = Answer extends readonly (infer One)[]
  ? Type extends readonly (infer Other)[]
    ? Unknown<One, Other>
    : never
  : Answer extends object
    ? { [K in keyof Answer]: K extends keyof Type ? Unknown<Answer[K], Type[K]> : K }[keyof Answer]
    : never

test('each answer is of its type, and has no member beyond it', () => {
  expectTypeOf<Whole>().toExtend<{ readonly [K in OperationId]: Widened<Responses[K]> }>()
  expectTypeOf<{ [K in OperationId]: Unknown<Whole[K], Responses[K]> }[OperationId]>().toEqualTypeOf<never>()
})

/** The examples are no constants: their texts are of any value. */
type Widened<T> = T extends string ? string : T extends object ? { [K in keyof T]: Widened<T[K]> } : T
