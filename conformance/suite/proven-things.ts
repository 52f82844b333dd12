/** How the fields of the profile that speak of anything but users are tried, each with its rule. */

import type { Answer } from '../client/call.js'
import {
  columnLists,
  isObject,
  mentions,
  otherSettingsIn,
  pointersTo,
  valueAt,
  values,
} from '../client/look.js'
import { missing, WRONG_PASSWORD } from './existing.js'
import { createField, deleteField, fieldPage, listFields } from './fields.js'
import { listPlugins, pluginOf, pluginsAtFirst, withPlugin } from './plugins.js'
import { keepingColumns, keepingSetting } from './shared.js'
import { type FieldTrial, isAccepted, isRefused, type Verdict } from './trial.js'
import type { Check } from './types.js'
import { createUser } from './users.js'

const choices = { possible_values: 'Kit one|Kit two' }

/** Refused while another type, or none, is accepted: a tracker that creates no field at all is at fault. */
async function fieldType(t: Check): Promise<Verdict> {
  await t.run.own.learnFields()
  if (t.run.succeeded('createCustomField')) return null
  const body = t.run.own.fieldBody()
  const answer = await t.send({ operation: 'createCustomField', body })
  if (!isRefused(answer)) return null
  const page = await t.send({ operation: 'getCustomFieldCreatePage' })
  const offered = pointersTo(page.json, (value) => typeof value === 'string')
    .filter((at) => /type|kind/i.test(at))
    .map((at) => valueAt(page.json, at))
  for (const type of new Set([undefined, ...offered.slice(0, 3), 'string', '0'])) {
    if (type === body.custom_field.type) continue
    const other = await createField(t, t.run.own.fieldBody({ ...choices, type }))
    await deleteField(t, other.field)
    if (isAccepted(other.answer)) return { answer }
  }
  return null
}

/**
 * A limit that the target has, and not at that length. A difference of one may be its own mistake in counting, and one that
 * stores names of any length enforces none.
 */
async function nameLimit(t: Check): Promise<Verdict> {
  const limit = t.profile.customField?.nameLimit ?? 0
  await t.run.own.learnFields()
  if (!t.run.succeeded('createCustomField')) return null
  /** Null where it is stored in part: some cut what is too long. */
  const takes = async (length: number): Promise<{ answer: Answer; whole: boolean }> => {
    const name = t.run.own.name().slice(-length).padEnd(length, 'x')
    const { answer, field } = await createField(t, t.run.own.fieldBody({ name }))
    const whole = isAccepted(answer) && mentions((await listFields(t)).json, name)
    await deleteField(t, field)
    return { answer, whole }
  }
  const { answer: exact } = await takes(limit)
  if (isRefused(exact, [400])) {
    if (limit < 2 || !isRefused((await takes(limit - 1)).answer, [400])) return null
    // No more fields may be made at all.
    const plain = await createField(t, t.run.own.fieldBody())
    await deleteField(t, plain.field)
    return isAccepted(plain.answer) ? { answer: exact } : null
  }
  const above = await takes(limit + 2)
  if (!above.whole || (await takes(limit + 500)).whole) return null
  return {
    answer: above.answer,
    words: `a name of ${limit + 2} characters is stored, and a longer one is not`,
  }
}

/** A field that is listed and has no page is the tracker's fault. */
async function fieldIds(t: Check): Promise<Verdict> {
  for (const id of t.profile.customField?.ids ?? []) {
    const answer = await fieldPage(t, id)
    if (!isRefused(answer, [404])) continue
    const ids = pointersTo((await listFields(t)).json, (value) => value === id || value === String(id))
    if (!ids.some((at) => /id$/i.test(at))) return { answer, words: `the field ${id} is not there: 404` }
  }
  return null
}

/**
 * Refused as a plugin that there is not, and listed nowhere. One that is known and cannot be installed may lack what it
 * needs, and may as well be refused in error.
 */
async function plugin(t: Check): Promise<Verdict> {
  const { name, install, uninstall } = pluginOf(t)
  await pluginsAtFirst(t)
  const answer = await install()
  if (isAccepted(answer)) await uninstall()
  if (!isRefused(answer)) return null
  const unknown = await t.send({ operation: 'installPlugin', path: { plugin_name: missing.plugin(t) } })
  const listed = await listPlugins(t)
  return unknown.status === answer.status && !mentions(listed.json, name) ? { answer } : null
}

/** As with the limit of a name: an edge that is refused together with its neighbour inside, or is passed by two. */
async function priority(t: Check): Promise<Verdict> {
  const { min, max } = t.need('plugin.priority')
  return withPlugin(t, async ({ update, give }) => {
    const set = (priority: number) => update({ priority })
    for (const [edge, inside] of [
      [min, Math.min(min + 1, max)],
      [max, Math.max(max - 1, min)],
    ] as const) {
      const answer = await set(edge)
      if (isRefused(answer, [400]) && inside !== edge && isRefused(await set(inside), [400]))
        return { answer }
    }
    const above = await give({ priority: max + 2 })
    if (!isAccepted(above) || !isRefused(await give({ priority: max + 1_000_000 }), [400])) return null
    return { answer: above, words: `the priority ${max + 2} is accepted` }
  })
}

/**
 * Refused with 400 or 404: a tracker that does not save the columns either which it shows itself is at fault. An
 * administrator who may read and not save is refused in error.
 */
async function columns(t: Check): Promise<Verdict> {
  return keepingColumns(t, async ({ columns: list, save, read }) => {
    const answer = await save(list)
    if (!isRefused(answer, [400, 404])) return null
    const shown = await read()
    const [own] = isAccepted(shown) ? columnLists(shown.json) : []
    return own === undefined || isAccepted(await save(own.toReversed())) ? { answer } : null
  })
}

/** Refused with 400, as what is unsupported must be. A tracker that takes back none of what it shows is at fault. */
async function userSetting(t: Check): Promise<Verdict> {
  return keepingSetting(t, async ({ option, value, set }) => {
    const answer = await set({ option, value })
    if (!isRefused(answer, [400])) return null
    const page = await t.send({ operation: 'getUserSettingsPage' })
    const others = otherSettingsIn(page.json, option).filter(({ value }) => /^\d{1,4}$/.test(value))
    for (const other of others.slice(0, 3)) if (isAccepted(await set(other))) return { answer }
    return others.length === 0 ? { answer } : null
  })
}

/**
 * Refused with 400 where the empty list is not, or in words that name a setting or its value. Who refuses both, and does
 * not say what is wrong, may refuse whatever is sent.
 */
async function settings(t: Check): Promise<Verdict> {
  const operation = 'updateSettings'
  const body = t.need('settings')
  const answer = await t.send({ operation, body })
  if (!isRefused(answer, [400])) return null
  const said = Object.values(answer.json as object)
    .map(String)
    .join('\n')
  const named = [...values(body)].flatMap((value) => (isObject(value) ? Object.keys(value) : [value]))
  const isNamed = named.some((word) => typeof word === 'string' && word.length > 2 && said.includes(word))
  return isNamed || isAccepted(await t.send({ operation, body: [] })) ? { answer } : null
}

/**
 * The current password is a mistake if the next one is in force, and the next one if no user is created with it. Otherwise
 * a current password that is refused may be the right one.
 */
async function passwordAccount(t: Check): Promise<Verdict> {
  const { current, next } = t.need('passwordAccount')
  t.need('tokens.password')
  const change = (password_current: string, password: string) =>
    t.send({ operation: 'changeOwnPassword', as: 'password', body: { password_current, password } })
  const answer = await change(current, next)
  if (isAccepted(answer)) {
    await change(next, current)
    return null
  }
  if (!isRefused(answer, [400, 403])) return null
  if (isAccepted(await change(next, current))) {
    // A tracker that stores what it refuses has made it so during the run.
    await change(WRONG_PASSWORD, next)
    if (!isAccepted(await change(current, next)) && isAccepted(await change(next, current))) return null
    await change(next, current)
    return { answer, words: 'the next password was the current one; it is the other way round now' }
  }
  await t.run.own.sharedUser()
  const made = await createUser(t, { password: next })
  return isRefused(made.answer, [400]) ? { answer: made.answer } : null
}

const ofFields = [
  'createCustomField',
  'updateCustomField',
  'deleteCustomField',
  'getCustomFieldUpdatePage',
  'listCustomFields',
] as const

/**
 * No read shows a recipient, and each run uses some up from the front of the list. So those are left out that are answered
 * 404 before the first one that is deleted; what comes behind that one is there. It is a mistake if there is none.
 */
async function recipients(t: Check): Promise<Verdict> {
  const operation = 'deleteHelpdeskRecipient'
  if (t.run.succeeded(operation)) return null
  let last: Answer | null = null
  for (const id of t.need('recipients')) {
    const answer = await t.send({ operation, path: { recipient_id: id } })
    if (isAccepted(answer)) return last === null ? null : 'in part'
    if (!isRefused(answer, [404])) return null
    t.run.own.recipientDeleted(id)
    last = answer
  }
  return last && { answer: last, words: 'none of them is there: 404; each run uses some of them up' }
}

const ofPlugins = ['installPlugin', 'uninstallPlugin', 'updatePlugin', 'listPlugins'] as const

export const thingFields: readonly FieldTrial[] = [
  {
    field: 'customField.type',
    level: 'write',
    of: ofFields,
    try: fieldType,
  },
  {
    field: 'customField.nameLimit',
    with: ['customField.type'],
    level: 'write',
    of: ['createCustomField', 'updateCustomField'],
    late: true,
    try: nameLimit,
  },
  {
    field: 'customField.ids',
    level: 'read',
    of: ['updateCustomField', 'deleteCustomField', 'getCustomFieldUpdatePage'],
    try: fieldIds,
  },
  { field: 'plugin', level: 'destructive', of: ofPlugins, late: true, try: plugin },
  { field: 'plugin.priority', level: 'destructive', of: ofPlugins, late: true, try: priority },
  { field: 'recipients', level: 'destructive', of: ['deleteHelpdeskRecipient'], late: true, try: recipients },
  { field: 'columns', level: 'destructive', of: ['manageColumns'], try: columns },
  { field: 'userSetting', level: 'destructive', of: ['updateUserSettings'], late: true, try: userSetting },
  { field: 'settings', level: 'destructive', of: ['updateSettings'], try: settings },
  {
    field: 'passwordAccount',
    level: 'destructive',
    of: ['changeOwnPassword'],
    late: true,
    try: passwordAccount,
  },
]
