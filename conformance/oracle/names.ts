/** Names and ids that no tracker gives to anything: a thing with such a name does not exist. */

/** The beginning of every name that the driver uses for absent things. */
export const NO_NAME = 'kit_no_such_name'
/** An integer that no tracker has counted to, and that 32 bits and nine digits hold. */
export const NO_ID = '987654321'

/** Members that every object inherits: a tracker that looks a name up in an object may find them. */
const inherited = ['', '__proto__', 'toString', 'constructor']

export const isReserved = (name: string): boolean => /^kit[-_]?no[-_]?such/i.test(name)
/** What clients call that which they expect not to be there, unless something was made under this name. */
export const saysNothing = (name: string): boolean =>
  /(^|[^a-z])(no[-_. ]?such|non[-_. ]?exist|(does|do)[-_. ]?(not|nt)[-_. ]?exist)/i.test(name)
export const isNoName = (name: string): boolean => isReserved(name) || inherited.includes(name)

/** Whether a text has a name in it that the driver has drawn at random. Nothing had such a name before. */
export const isDrawn = (text: string): boolean => /tk[a-z]{5}x[a-z]{3}/i.test(text)

const INTEGER = /^[1-9]\d{0,9}$/
export const isId = (text: string): boolean => INTEGER.test(text)

/** A username by which no tracker finds another user: no id and no e-mail address. */
export const isPlainName = (name: unknown): boolean => isAddress(name) && !name.includes('@')
/** A username that a path bears as it is, and that no tracker takes for an id. */
export const isAddress = (name: unknown): name is string =>
  typeof name === 'string' && /^[\p{L}\d][\p{L}\d._@+-]{1,63}$/u.test(name) && !/^\d+$/.test(name)
