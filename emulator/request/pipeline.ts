/** Takes one call from the transport to the answer. Only a fault may make it asynchronous. */
import { readContent } from './body.js'
import type { Call, Setup } from './call.js'
import { errorAnswer, Refused } from './errors.js'
import { answeredWithFaults, Lost } from './faults.js'
import type { Outgoing } from './message.js'
import { callersLanguage } from './preferences.js'
import { respond } from './respond.js'
import { serve } from './serve.js'

/** Throws, or rejects, if the client gets no answer. */
export function handle(setup: Setup, call: Call): Outgoing | Promise<Outgoing> {
  call.begin(setup)
  if (call.operation !== null) {
    readContent(call, call.operation)
    if (setup.faults.active.length > 0)
      return answeredWithFaults(call, serve).then(
        () => finished(call),
        (error) => failed(call, error),
      )
  }
  try {
    serve(call)
  } catch (error) {
    return failed(call, error)
  }
  return finished(call)
}

function failed(call: Call, error: unknown): Outgoing {
  if (error instanceof Lost) {
    call.answerHeaders = []
    call.end(0, '')
    call.setup.record?.(call)
    throw error.reason
  }
  const { twin, record } = call.setup
  const found = error instanceof Refused ? error : internal(error)
  found.step ??= call.step
  const refused = (call.operation === null && twin?.refusalOfPath(call, found)) || found
  if (record) call.refused = refused
  call.status = refused.status
  call.result = errorAnswer(refused, call.decisions, callersLanguage(call))
  call.answerHeaders = Object.entries(refused.options.headers ?? {})
  return finished(call)
}

const internal = (error: unknown) =>
  new Refused('internal', { with: [error instanceof Error ? error.message : String(error)] })

function finished(call: Call): Outgoing {
  const text = JSON.stringify(call.result ?? null)
  const outgoing = respond(call, call.raw ?? text)
  call.end(outgoing.status, call.result === undefined ? '' : text)
  call.setup.record?.(call)
  return outgoing
}
