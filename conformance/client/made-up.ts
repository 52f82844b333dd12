/** Made-up names of the run's things, and the password of its users. */
import { randomBytes, randomInt } from 'node:crypto'
import { isSecretName } from './secret-names.js'

/** Part of the name of each thing of a run: letters, which all trackers accept, and no name of a secret, whose value is masked. */
export function madeUpTag(draw = () => randomInt(26 ** 5)): string {
  const tag = `tk${inLetters(draw(), 5)}`
  return isSecretName(tag) ? madeUpTag(draw) : tag
}

/** A random password, so that nobody can use accounts that are left. It satisfies common rules for passwords. */
export const madeUpPassword = (): string => `Kit-${randomBytes(9).toString('hex')}!Quartz`

/** A number written in letters, with a fixed width, for names that every rule on names allows. */
export function inLetters(number: number, width: number): string {
  const letter = (place: number) => String.fromCharCode(97 + (Math.floor(number / 26 ** place) % 26))
  return Array.from({ length: width }, (_, index) => letter(width - 1 - index)).join('')
}
