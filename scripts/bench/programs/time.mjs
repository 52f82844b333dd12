/** Milliseconds of processor time so far: on a busy machine they tell more of a piece of work than the clock does. */
export function processorMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
