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
