/**
 * The file of the program that checks one tracker of a fleet. This module is loaded on demand, so that the build keeps
 * it in its own file beside that program, and the relative path is right.
 */
import { fileURLToPath } from 'node:url'

export const workerFile = fileURLToPath(new URL('./fleet-worker.js', import.meta.url))
