import { setImmediate } from 'node:timers'
import type { Fetch } from './answerUnread.ts'

// The gain of larger groups is small, and the first response of a group waits for all of it.
const groupSize = 32

/**
 * Creates a queue of tasks. Tasks that are added while the event loop reads the arrived data run together afterwards.
 *
 * The requests of such a group take each step of the service side by side, while its code is in the caches of the
 * processor, and their responses are written one after another, so that a client on many connections is woken once for
 * all of them. A single request waits for nothing but the end of that turn of the event loop.
 *
 * @returns a function that adds a task, which must not throw
 */
export function createTurnQueue(): TurnQueue {
  const waiting: Task[] = []
  function runGroup(): void {
    const group = waiting.splice(0, groupSize)
    if (waiting.length > 0) setImmediate(runGroup)
    for (const task of group) task()
  }
  return (task) => {
    if (waiting.push(task) === 1) setImmediate(runGroup)
  }
}

/** Adds a task to the queue. */
export type TurnQueue = (task: Task) => void

type Task = () => void

/** Returns a `fetch` whose requests wait in a queue. */
export function queueFetch(fetch: Fetch, addTask: TurnQueue): Fetch {
  return (request, address) => new Promise((resolve) => addTask(() => resolve(fetch(request, address))))
}
