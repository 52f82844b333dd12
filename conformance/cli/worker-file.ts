/**
 * Where the program of one tracker of a fleet is. Loaded on demand, so that it is a file of its own beside that program
 * in what is built, where other modules share files that stand elsewhere.
 */
import { fileURLToPath } from 'node:url'

export const workerFile = fileURLToPath(new URL('./fleet-worker.js', import.meta.url))
