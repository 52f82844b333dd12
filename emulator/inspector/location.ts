/**
 * Where the page's files are. Loaded with the first of them, because a transformer to CommonJS, as Jest may have one,
 * stops at `import.meta`, and the rest of the server does without.
 */
export const clientFile = (name: string): URL => new URL(`./client/${name}`, import.meta.url)
