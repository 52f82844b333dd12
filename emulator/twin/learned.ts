/** Applies what was learnt from a live tracker: its answers, and the forms of its bodies. */
import type { OperationId } from '../../conformance/contract/operations.js'
import { at, filled, fills, holds, type Parameters, rewritten } from '../../conformance/contract/templates.js'
import type { LearnedAnswer, LearnedRule } from '../decisions/learned.js'
import type { AdmittedCall } from '../request/call.js'
import { isObject, type Json, remade } from '../request/json.js'

export const rulesOf = (rules: readonly LearnedRule[], operation: OperationId | null, outcome: string) =>
  rules.filter((rule) => (rule.outcome ?? outcome) === outcome && (rule.operation ?? operation) === operation)

/** The first rule whose conditions hold, preferably one whose texts need only values that the request has. */
export function ruleFor(rules: readonly LearnedRule[], features: readonly string[], parameters: Parameters) {
  const known = new Set(features)
  const fitting = rules.filter(({ when }) => holds(when, known))
  return fitting.find(({ answer }) => fills(answer, parameters)) ?? fitting[0]
}

export function learnedBody(answer: LearnedAnswer, parameters: Parameters): Record<string, Json> {
  const { status, code, message, members } = answer
  return {
    message: filled(message, parameters),
    ...(code === null ? {} : { code: code === 'status' ? status : code }),
    ...(rewritten(members, (text) => filled(text, parameters)) as Record<string, Json>),
  }
}

/** `$else` is the form for all other requests; absent for the emulator's own form. */
interface Cases {
  readonly $cases: readonly { readonly when: readonly string[]; readonly shape: Json }[]
  readonly $else?: Json
  readonly $select?: Selection
}

/** For each record that a selection limits, by its path: the members that it always keeps. */
type Selection = Readonly<Record<string, readonly string[]>>

export const selectionOf = (shape: Json): Selection | undefined =>
  (shape as unknown as Partial<Cases>).$select

/** The form for a request with these features; undefined for the emulator's own form. */
export function formFor(shape: Json, features: () => readonly string[]): Json | undefined {
  if (typeof shape !== 'object' || shape === null || !('$cases' in shape)) return shape
  const { $cases, $else } = shape as unknown as Cases
  const known = new Set(features())
  return $cases.find(({ when }) => holds(when, known))?.shape ?? $else
}

/** A value of the emulator's own answer: at a path, for each item there, or by a key of the items. */
type Source = Readonly<{ $from?: string; $each?: Json; $key?: string; $else?: Json; $as?: string }>

/** Fills a template with the emulator's own values. An optional member is omitted if its source is absent. */
export function shaped(template: Json, source: Json): Json {
  if (Array.isArray(template)) return template.map((item) => shaped(item, source))
  if (typeof template !== 'object' || template === null) return template
  const { $from, $each, $key, $else, $as } = template as Source
  if ($from === undefined)
    return Object.fromEntries(
      Object.entries(template).flatMap(([name, member]) => {
        const optional = name.endsWith('?')
        const value = shaped(member, source)
        if (optional && (value === undefined || value === null || value === '')) return []
        return [[optional ? name.slice(0, -1) : name, value === undefined ? null : value]]
      }),
    )
  const value = at(source, $from) as Json | undefined
  const items: readonly Json[] = Array.isArray(value) ? value : []
  const each = (item: Json) => shaped($each, { item, all: source })
  if ($key !== undefined) return Object.fromEntries(items.map((item) => [String(at(item, $key)), each(item)]))
  if ($each !== undefined) return items.map(each)
  if (value === undefined || value === null) return $else
  return $as === 'string' ? String(value) : $as === 'number' ? Number(value) : value
}

/** The record of a user, in this form, with only the selected members, if it has any of them. */
export function selected(body: Json, form: Json, call: AdmittedCall, selection: Selection | undefined): Json {
  const { operation, query, decisions } = call
  if (operation !== 'getUser') return body
  const list = decisions['select-location'] === 'query-list'
  const names = list ? query.getAll('select[]') : (query.get('select')?.split(',') ?? [])
  if (names.length === 0) return body
  const wanted = new Set(names.map((name) => name.trim()))
  if (wanted.size === 1 && wanted.has('') && decisions['select-empty'] === 'as-absent') return body
  return selection === undefined ? limited(body, wanted) : limitedBy(selection, body, form, wanted)
}

/** `isWhole`: the record keeps all its members where the selection limits none. */
function limitedBy(selection: Selection, body: Json, shape: Json, names: ReadonlySet<string>): Json {
  const limit = (value: Json, form: Json, path: string, isWhole: boolean): Json => {
    if (!isObject(value)) return value
    const kept = selection[path] ?? (isWhole ? Object.keys(value) : [])
    const forms = isObject(form) ? form : {}
    const members = Object.entries(value).flatMap(([name, member]) => {
      const ownForm = forms[name] ?? forms[`${name}?`] ?? null
      const isKept = kept.includes(name) || isNamed(name, names)
      if (!isKept && !sourcesIn(ownForm).some((one) => names.has(one))) return []
      return [[name, limit(member, ownForm, path === '' ? name : `${path}.${name}`, isKept)]]
    })
    return Object.fromEntries(members)
  }
  return limit(body, shape, '', true)
}

/** The document's names of the values in a form that are those of the user itself. */
function sourcesIn(form: Json): string[] {
  if (!isObject(form)) return []
  const { $from } = form as Source
  if ($from === undefined) return Object.values(form).flatMap(sourcesIn)
  return $from.startsWith('subject.') ? [$from.slice('subject.'.length)] : []
}

/** A selection uses the document's names of members, in whatever case the live tracker writes them. */
const isNamed = (member: string, names: ReadonlySet<string>) =>
  names.has(member) || names.has(member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))

function limited(value: Json, names: ReadonlySet<string>): Json {
  const kept = isObject(value) ? Object.entries(value).filter(([name]) => isNamed(name, names)) : []
  return kept.length > 0 ? Object.fromEntries(kept) : remade(value, (part) => limited(part, names))
}
