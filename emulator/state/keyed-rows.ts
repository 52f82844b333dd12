/** A list of records with indexes. All writes to the list must go through this class. */
import type { KeyOf } from './collections.js'
import { Index, type Key } from './table-index.js'

/** After more removals than this, the positions are computed again. */
const MOST_MOVED = 1000

export class KeyedRows<R extends object, I extends string> {
  readonly rows: R[]
  readonly #indexes: Readonly<Record<I, Index<R>>>
  readonly #all: readonly Index<R>[]
  readonly #primary: KeyOf<R>
  /** Positions by primary key, which may date from before the last `#moved` removals. */
  readonly #places = new Map<Key | null, number>()
  #moved = 0
  /** How many records the indexes cover; -1 if the next use must make them again. */
  #covered = 0

  /** The first key identifies a record. */
  constructor(rows: R[], keys: Readonly<Record<I, KeyOf<R>>>) {
    this.rows = rows
    const entries = Object.entries<KeyOf<R>>(keys).map(([name, keyOf]) => [name, new Index(keyOf)] as const)
    this.#indexes = Object.fromEntries(entries) as Record<I, Index<R>>
    this.#all = entries.map(([, index]) => index)
    this.#primary = Object.values<KeyOf<R>>(keys)[0] as KeyOf<R>
  }

  find(index: I, key: Key): R | undefined {
    this.#cover()
    return this.#indexes[index].first(key)
  }

  having(index: I, key: Key): R[] {
    this.#cover()
    return this.#indexes[index].list(key)
  }

  /** Whether the records differ in a key. */
  moves(from: R, to: R): boolean {
    return this.#all.some((index) => index.moves(from, to))
  }

  /** The position of a record; -1 if it is not in the list. */
  positionOf(record: R): number {
    this.#cover()
    const key = this.#primary(record)
    const last = this.#places.get(key) ?? -1
    // Each later removal has moved the record by at most one position.
    for (let position = last; position >= Math.max(0, last - this.#moved); position--)
      if (this.rows[position] === record) return position
    // The record was changed in the meantime, or a test put another one with its key there.
    const same = this.rows.indexOf(record)
    return same >= 0 ? same : this.rows.findIndex((row) => this.#primary(row) === key)
  }

  add(record: R): void {
    this.rows.push(record)
    this.#cover()
  }

  change(position: number, from: R, to: R): void {
    this.rows[position] = to
    for (const index of this.#all) index.change(from, to)
    const [before, after] = [this.#primary(from), this.#primary(to)]
    if (before === after) return
    this.#places.delete(before)
    this.#places.set(after, position)
  }

  remove(position: number, record: R): void {
    this.rows.splice(position, 1)
    for (const index of this.#all) index.remove(record)
    this.#places.delete(this.#primary(record))
    this.#covered -= 1
    this.#moved += 1
    if (this.#moved > MOST_MOVED) this.#covered = -1
  }

  replaceAll(rows: readonly R[]): void {
    this.rows.length = 0
    for (const record of rows) this.rows.push(record)
    this.#covered = -1
  }

  reindex(): void {
    this.#covered = -1
  }

  /** Extends the indexes to the last record, or makes them again. */
  #cover(): void {
    const { rows } = this
    if (this.#covered === rows.length) return
    if (this.#covered < 0) {
      for (const index of this.#all) index.clear()
      this.#places.clear()
      this.#moved = 0
      this.#covered = 0
    }
    for (; this.#covered < rows.length; this.#covered++) {
      const record = rows[this.#covered] as R
      for (const index of this.#all) index.add(record)
      const key = this.#primary(record)
      if (!this.#places.has(key)) this.#places.set(key, this.#covered)
    }
  }
}
