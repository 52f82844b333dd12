/** Records by key: a single record is stored alone, several as a list in the order of insertion. */
export type Key = string | number

export class Index<R extends object> {
  readonly #records = new Map<Key, R | R[]>()

  constructor(readonly keyOf: (record: R) => Key | null) {}

  first(key: Key): R | undefined {
    const found = this.#records.get(key)
    return Array.isArray(found) ? found[0] : found
  }

  list(key: Key): R[] {
    const found = this.#records.get(key)
    if (found === undefined) return []
    return Array.isArray(found) ? [...found] : [found]
  }

  add(record: R): void {
    const key = this.keyOf(record)
    if (key === null) return
    const found = this.#records.get(key)
    if (found === undefined) this.#records.set(key, record)
    else if (Array.isArray(found)) found.push(record)
    else this.#records.set(key, [found, record])
  }

  remove(record: R): void {
    const key = this.keyOf(record)
    if (key === null) return
    const found = this.#records.get(key)
    if (found === record) this.#records.delete(key)
    if (!Array.isArray(found)) return
    const place = found.indexOf(record)
    if (place >= 0) found.splice(place, 1)
    if (found.length === 0) this.#records.delete(key)
  }

  moves(from: R, to: R): boolean {
    return this.keyOf(from) !== this.keyOf(to)
  }

  /** Replaces a record, at the same position if the key is the same. */
  change(from: R, to: R): void {
    const key = this.keyOf(to)
    if (key === null || this.moves(from, to)) {
      this.remove(from)
      this.add(to)
      return
    }
    const found = this.#records.get(key)
    if (Array.isArray(found)) found[found.indexOf(from)] = to
    else this.#records.set(key, to)
  }

  clear(): void {
    this.#records.clear()
  }
}
