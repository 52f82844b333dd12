/** Milliseconds of processor time so far, which are more reliable on a busy machine than the clock. */
export function processorMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
