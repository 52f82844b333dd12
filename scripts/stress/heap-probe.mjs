// Preloaded into the program under stress: tells its parent, on each message, what is in use after a collection.
process.on('message', () => {
  globalThis.gc()
  globalThis.gc()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  process.send(heapUsed + arrayBuffers)
})
// Listening for messages alone must not keep the program alive.
process.channel.unref()
