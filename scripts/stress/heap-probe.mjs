// Preloaded into the program: answers each message with the heap in use after a garbage collection.
process.on('message', () => {
  globalThis.gc()
  globalThis.gc()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  process.send(heapUsed + arrayBuffers)
})
// A listener for messages must not keep the program running.
process.channel.unref()
