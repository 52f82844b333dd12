/** Makes the value of each object only once. */
export function memoised<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<object, V>()
  return (key) => {
    if (typeof key !== 'object' || key === null) return make(key)
    const value = made.get(key) ?? make(key)
    made.set(key, value)
    return value
  }
}

/** Longer texts hardly come twice. */
const LONGEST = 10_000
const MOST = 2_000

/** The same for texts that are not too long. It forgets all of them when there are too many, or when `made` is cleared. */
export function memoisedByText<V>(make: (text: string) => V, made = new Map<string, V>()) {
  return (text: string): V => {
    if (text.length > LONGEST) return make(text)
    if (made.has(text)) return made.get(text) as V
    if (made.size >= MOST) made.clear()
    const value = make(text)
    made.set(text, value)
    return value
  }
}

type Store<K, V> = { get(key: K): V | undefined; set(key: K, value: V): unknown }

/** The value of a key; made and stored where there is none yet. */
export function getOrInsert<K, V>(store: Store<K, V>, key: K, make: () => V): V {
  const value = store.get(key) ?? make()
  store.set(key, value)
  return value
}
