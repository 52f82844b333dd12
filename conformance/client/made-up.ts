/** What a run calls its own things, and the password of the users that it makes. */
import { randomBytes, randomInt } from 'node:crypto'

/** Stands in the names of everything that a run makes: of letters alone, since some trackers take no others. */
export const madeUpTag = (): string => `tk${inLetters(randomInt(26 ** 5), 5)}`

/** For made-up users: nobody shall be able to use the accounts that are left. It fits any rule that is in common use. */
export const madeUpPassword = (): string => `Kit-${randomBytes(9).toString('hex')}!Quartz`

/** A number in the letters of the alphabet, of one width, for names that no rule on names forbids. */
export function inLetters(number: number, width: number): string {
  const letter = (place: number) => String.fromCharCode(97 + (Math.floor(number / 26 ** place) % 26))
  return Array.from({ length: width }, (_, index) => letter(width - 1 - index)).join('')
}
