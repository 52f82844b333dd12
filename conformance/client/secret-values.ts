/** Finds secrets by their value, in every form in which a text may repeat them, whole and in parts. */

/** Ordinary texts contain shorter ones. */
export const LEAST = 6
/** The beginning of the words that stand for secrets. */
const PSEUDONYM = 'SECRET.'
/** So many consecutive signs of a secret are no coincidence. */
const RUN = 8
/** The same in base64. */
const RUN_BASE64 = 12

/** `ordinary`: words that are no secret, though a secret may hold them. */
export function secretValues(ordinary: readonly string[]) {
  const words = ordinary.filter((word) => word.length >= LEAST).map(fold)
  const known = new Set<string>()
  /** The secret that a text equals, literally or encoded. */
  const wholes = new Map<string, string>()
  const folded = new Set<string>()
  /** All parts by which a secret is found, with whether they are in base64, and their lengths. */
  const parts = new Map<string, boolean>()
  const lengths = new Set<number>()
  /** The first three signs of all parts, and the three after them, as a fast filter. */
  const beginnings = new Uint8Array(1 << 16)
  const followers = new Uint8Array(1 << 16)

  /** Whether the secret was not known before. */
  function add(secret: string): boolean {
    if (secret.length < LEAST || known.has(secret)) return false
    known.add(secret)
    const least = Math.max(LEAST, Math.min(RUN, secret.length >> 1))
    const cases = [...caseForms(secret)]
    const forms = plainForms(secret)
    for (const form of forms) wholes.set(form, secret)
    for (const form of [...forms, ...cases.map(inHex)]) addForm(fold(form), least, false)
    for (const form of cases.flatMap(base64Forms)) addForm(fold(form), RUN_BASE64, true)
    return true
  }

  function addForm(form: string, most: number, base64: boolean): void {
    const least = Math.min(most, form.length)
    if (least < LEAST || folded.has(form)) return
    folded.add(form)
    lengths.add(least)
    for (let at = 0; at + least <= form.length; at++) {
      const part = form.slice(at, at + least)
      parts.set(part, base64 || parts.get(part) === true)
      beginnings[threeAt(form, at)] = 1
      followers[threeAt(form, at + 3)] = 1
    }
  }

  function mask(text: string, word: (secret: string) => string): string {
    if (text.length < LEAST || known.size === 0) return text
    // A secret may contain the beginning of the replacement words.
    if (!text.includes(PSEUDONYM) || [...known].some((secret) => secret.includes(PSEUDONYM)))
      return masked(text, word)
    const parts = text.split(/(SECRET\.[\w.]+)/)
    return parts.map((part, index) => (index % 2 === 1 ? part : masked(part, word))).join('')
  }

  function masked(text: string, word: (secret: string) => string): string {
    let out = ''
    let copied = 0
    for (const [from, to] of runsIn(fold(text))) {
      const run = text.slice(from, to)
      out += text.slice(copied, from) + word(wholes.get(withSmallHex(run)) ?? run)
      copied = to
    }
    return copied === 0 ? text : out + text.slice(copied)
  }

  /** Where parts of secrets stand; adjacent ones are one, so that the replacements do not reveal their number. */
  function runsIn(text: string): readonly Run[] {
    const runs: Run[] = []
    for (let at = 0; at + LEAST <= text.length; at++) {
      if (beginnings[threeAt(text, at)] === 0 || followers[threeAt(text, at + 3)] === 0) continue
      for (const least of lengths) {
        const base64 = parts.get(text.slice(at, at + least))
        if ((runs.at(-1)?.[1] ?? 0) >= at + least || base64 === undefined) continue
        let [from, to] = base64 ? around(text, at, at + least) : [at, at + least]
        for (let last = runs.at(-1); last && last[1] >= from; last = runs.at(-1)) {
          ;[from, to] = [Math.min(last[0], from), Math.max(last[1], to)]
          runs.pop()
        }
        runs.push([from, to])
      }
    }
    return runs.filter(([from, to]) => folded.has(text.slice(from, to)) || !isOrdinary(text.slice(from, to)))
  }

  const isOrdinary = (run: string) => {
    const word = run.replace(/^[^a-z\d]+|[^a-z\d]+$/g, '')
    return words.some((one) => one.includes(word))
  }

  /** Adds a word that is no secret; whether it was not known before. */
  const show = (word: string) =>
    word.length >= LEAST && !words.includes(fold(word)) && words.push(fold(word)) > 0

  return { add, show, mask }
}

type Run = readonly [from: number, to: number]

/** A name may precede a secret in the same base64, and the signs at its ends depend on the neighbours. */
function around(text: string, from: number, to: number): Run {
  const isOfIt = (at: number) => /[\w+=-]/.test(text[at] ?? ' ')
  let [first, end] = [from, to]
  while (first > 0 && isOfIt(first - 1)) first--
  while (isOfIt(end)) end++
  return [first, end]
}

const threeAt = (text: string, at: number) =>
  ((text.charCodeAt(at) * 961) ^ (text.charCodeAt(at + 1) * 31) ^ text.charCodeAt(at + 2)) & 0xffff

/** Lower case with the same length, so that positions are those in the text. */
function fold(text: string): string {
  // Asked for what there is none of, since a pattern for all of a long text would keep a place to go back to at each sign.
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase()
  let folded = ''
  for (const sign of text) {
    const other = sign.toUpperCase().toLowerCase()
    folded += other.length === sign.length ? other : sign
  }
  return folded
}

const ascii = (text: string) =>
  text.replace(/[\x7f-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** As `plainForms` writes it. */
const withSmallHex = (text: string) => text.replace(/%[\dA-F]{2}/g, (sign) => sign.toLowerCase())
const inHex = (text: string) => Buffer.from(text).toString('hex')
const percent = (text: string) => inHex(text).replace(/../g, '%$&')

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** The forms in texts, URLs, JSON and pages. */
function plainForms(secret: string): string[] {
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1)
  const bySlashes = [inJson(secret), inJson(secret).replaceAll('/', '\\/')]
  const escaped = bySlashes.flatMap((text) => [text, ascii(text)])
  const html = secret.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign)
  const inUrl = secret.replace(/[^\w.~-]+/g, percent)
  return [
    ...[secret, ...escaped, ...escaped.map(inJson)],
    ...[html, html.replaceAll("'", '&#39;'), html.replaceAll("'", '&#039;')],
    ...[inUrl, inUrl.replaceAll('%20', '+')],
    // Functions that encode for URLs differ in the signs that they leave.
    secret.replace(/[^\w.~!*'()-]+/g, percent),
    secret.replace(/[^\w.~!*'();/?:@&=+$,#-]+/g, percent),
    new URLSearchParams({ '': secret }).toString().slice(1),
  ]
}

/** The case of base64 and hex signs does not follow that of the letters, so each is a form of its own. */
const caseForms = (secret: string) =>
  new Set([secret, swapped(secret), secret.toLowerCase(), secret.toUpperCase()])

/** Swaps small letters and capitals. */
export const swapped = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )

/** The middle of its base64 after a text of any length. The signs at the ends depend on the neighbours. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const middle = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
    return [middle, middle.replaceAll('+', '-').replaceAll('/', '_'), middle.replaceAll('/', '\\/')]
  })
}
