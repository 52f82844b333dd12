/** Milliseconds to import modules of the project that this file is copied into. `import.mjs MODULE...` */
const modules = process.argv.slice(2)
const start = performance.now()
for (const name of modules) await import(name)
console.log(JSON.stringify({ ms: performance.now() - start }))
