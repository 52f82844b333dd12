import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import { type Profile, profileSchema } from '../contract/index.js'
import { troubleOf, UsageError } from '../contract/trouble.js'

/** Reads a profile file; errors name the file and the field. */
export function readProfile(file: string): Record<string, unknown> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`profile ${file} cannot be read: ${troubleOf(error)}`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`profile ${file} is not JSON: ${troubleOf(error)}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`profile ${file} must hold a JSON object`)
  return value as Record<string, unknown>
}

/** Checks a profile, whatever it came from; `source` begins the error. */
export function parseProfile(value: unknown, source: string): Profile {
  const result = profileSchema.safeParse(value)
  if (result.success) {
    const trouble = troubleWith(result.data.baseUrl)
    if (trouble !== null) throw new UsageError(`${source}: field "baseUrl": ${trouble}`)
    return { ...result.data, baseUrl: result.data.baseUrl.replace(/\/+$/, '') }
  }
  const [issue] = result.error.issues
  throw new UsageError(`${source}: ${issue ? describeIssue(issue) : 'is not a profile'}`)
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const field = issue.path.join('.')
  if (issue.code === 'unrecognized_keys')
    return `unknown field "${[...issue.path, issue.keys[0]].join('.')}"; see tracker-kit contract profile`
  return `${field ? `field "${field}"` : 'the profile'}: ${issue.message}`
}

/**
 * Why a text cannot be a base URL, as the end of a sentence; null where it can. A report tells the base URL as it is, so
 * nothing that lets anybody in may stand there.
 */
export function troubleWith(baseUrl: string): string | null {
  if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl))
    return `must be an http or https URL, not "${withoutCredentials(baseUrl)}"`
  const { username, password, search, hash } = new URL(baseUrl)
  return username || password || search || hash
    ? 'must be the REST root alone, without credentials, query and fragment'
    : null
}

/** For messages on what should have been a URL, and need not be one. */
export const withoutCredentials = (text: string) =>
  text.replace(/[?#].*$/s, '').replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1***@')
