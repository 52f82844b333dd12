interface Kept<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): unknown
}

/** The value of a key; made and kept where there is none yet. */
export function kept<K, V>(all: Kept<K, V>, key: K, make: () => V): V {
  const value = all.get(key) ?? make()
  all.set(key, value)
  return value
}
