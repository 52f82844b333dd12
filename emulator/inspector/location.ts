/** The page's script. Loaded on demand: compilers to CommonJS, as with Jest, fail at `import.meta`. */
export const clientScript = new URL('./client/main.js', import.meta.url)
