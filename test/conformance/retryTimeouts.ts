import type { Caller } from '../harness/Caller.ts'

const retries = 3

/**
 * Repeats calls that end with `svc/upstream-timeout`: a fork fetches each part of the state when it is first read, which on a busy
 * machine takes longer than the service waits for a node.
 */
export function retryTimeouts(call: Caller): Caller {
  return async (operation, input) => {
    let outcome = await call(operation, input)
    for (let left = retries; left > 0 && outcome.failure?.code === 'svc/upstream-timeout'; left -= 1) {
      outcome = await call(operation, input)
    }
    return outcome
  }
}
