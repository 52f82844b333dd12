import type { Call } from './call.js'

/** A stored date in the form of the decisions. */
export function dateValue(c: Call, date: string | null): unknown {
  if (date === null) return null
  switch (c.decisions['date-format']) {
    case 'iso':
      return date.replace(/(\.\d+)?Z$/, '+00:00')
    case 'epoch':
      return Math.floor(Date.parse(date) / 1000)
    case 'display':
      return date.slice(0, 16).replace('T', ' ')
  }
}
