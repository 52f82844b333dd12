interface Store<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): unknown
}

/** The value of a key; made and stored where there is none yet. */
export function getOrInsert<K, V>(store: Store<K, V>, key: K, make: () => V): V {
  const value = store.get(key) ?? make()
  store.set(key, value)
  return value
}
