/** Carries out the requests of a connection in order, and writes answers at the end of a round of the event loop. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { setRealImmediate } from '../arrange/clock.js'
import { jsonReply, send } from './message.js'

export type Listener<Result = void | Promise<void>> = (
  message: IncomingMessage,
  response: ServerResponse,
) => Result

/** A client may send several requests at once, which are carried out one after the other. */
export function inOrder(listener: Listener): Listener<void> {
  const busy = new WeakMap<Duplex, Promise<void>>()
  return (message, response) => {
    const { socket } = message
    // Node reports a client that left as an error of the response, which can be ignored.
    response.on('error', () => undefined)
    const before = busy.get(socket)
    const work = before ? before.then(() => listener(message, response)) : begun(listener, message, response)
    if (!work) return
    const done = work
      .catch((error) => fail(response, error))
      .then(() => {
        if (busy.get(socket) === done) busy.delete(socket)
      })
    busy.set(socket, done)
  }
}

function begun(listener: Listener, message: IncomingMessage, response: ServerResponse): ReturnType<Listener> {
  try {
    return listener(message, response)
  } catch (error) {
    fail(response, error)
  }
}

let due: { readonly response: ServerResponse; readonly write: () => void }[] = []

/**
 * Everything that has arrived is handled before the first answer is written. That answer wakes a waiting client, which
 * then competes for the processor; writing each answer at once would make this happen often.
 */
export function atEndOfRound(response: ServerResponse, write: () => void): void {
  if (due.push({ response, write }) === 1) setRealImmediate(writeAll)
}

function writeAll(): void {
  const all = due
  due = []
  for (const { response, write } of all)
    try {
      write()
    } catch (error) {
      fail(response, error)
    }
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy()
  const text = `The emulator failed: ${error instanceof Error ? error.message : error}`
  send(response, jsonReply(500, { message: text }))
}
