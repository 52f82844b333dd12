/**
 * Where the page's script is. Loaded on demand, because a transformer to CommonJS, as Jest may have one, stops at
 * `import.meta`, and the rest of the server does without.
 */
export const clientScript = new URL('./client/main.js', import.meta.url)
