/** Fields of the profile that the target refuses, in words. */
import type { Report } from './report.js'

export const mistakesText = 'The profile is mistaken, which is not held against the tracker'

export const mistakeLines = ({ profile }: Pick<Report, 'profile'>): string[] =>
  profile.map(({ field, words }) => `${field}: ${words}`)
