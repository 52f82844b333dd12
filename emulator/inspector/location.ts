/**
 * The location of the page's script. Loaded on demand: compilers to CommonJS, as with Jest, fail at `import.meta`, and
 * the rest of the server does not need it.
 */
export const clientScript = new URL('./client/main.js', import.meta.url)
