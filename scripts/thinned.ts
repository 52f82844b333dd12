/** Recordings that tell less than a trace does, and nothing else: a tracker that is legal in the trace is legal in them. */
import type { Checked } from '../conformance/drive/run.js'
import type { Exchange } from '../conformance/oracle/exchange.js'
import { nothingKnown } from '../conformance/oracle/knowledge.js'
import { generator } from '../emulator/random.js'

type Recording = Pick<Checked, 'trace' | 'knowledge'>
type Part = 'body' | 'text'

/** What was left out, in words, and what is left. The same seed leaves out the same. */
export function thinned({ trace, knowledge }: Recording, seed: number): Recording & { what: string } {
  const draw = generator(seed)
  const told: string[] = []
  let left: readonly Exchange[] = trace
  const some = (share: number, name: string, change: (amount: number) => readonly Exchange[]) => {
    if (draw() >= share) return
    const amount = draw()
    left = change(amount)
    told.push(`${name} ${Math.round(100 * amount)} %`)
  }
  const fewer = (isIt: (one: Exchange) => boolean) => (amount: number) =>
    left.filter((one) => !isIt(one) || draw() >= amount)
  const losing = (part: Part) => (amount: number) =>
    left.map((one) => (one[part] !== null && draw() < 0.3 * amount ? without(one, part) : one))
  some(0.5, 'begins at', (amount) => left.slice(0.9 * amount * left.length).map(renamed))
  some(0.2, 'ends at', (amount) => left.slice(0, amount * left.length))
  some(0.7, 'without reads', fewer(isRead))
  some(
    0.5,
    'without refusals',
    fewer((one) => !isRead(one) && one.status >= 400 && one.status < 500),
  )
  some(0.3, 'without answers', losing('text'))
  some(0.2, 'without bodies', (amount) => losing('body')(amount).map(renamed))
  some(0.3, 'without tokens', () => left.map((one) => ({ ...one, caller: 'unknown' })))
  const isWhole = left[0] === trace[0]
  return {
    trace: left.map((one, index) => ({ ...one, n: index + 1 })),
    knowledge: isWhole && draw() < 0.6 ? knowledge : { ...nothingKnown, callers: knowledge.callers },
    what: told.join(', '),
  }
}

const isRead = ({ method }: Exchange) => method === 'GET' || method === 'HEAD'

function without(one: Exchange, part: Part): Exchange {
  const empty = part === 'body' ? { body: null } : { text: '' }
  return { ...one, ...empty, lost: [...(one.lost ?? []), part] }
}

/** With other made-up names: those of the driver are new in a whole trace, and in no part of it. */
const renamed = (one: Exchange): Exchange =>
  JSON.parse(
    JSON.stringify(one)
      .replace(/(t)k([a-z]{5}x[a-z]{3})/gi, '$1j$2')
      .replace(/(u0074\\+)u006b/g, '$1u006a'),
  )
