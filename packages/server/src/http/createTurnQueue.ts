import { setImmediate } from 'node:timers'
import { countCalls } from '@agio/api'
import type { Fetch } from './answerUnread.ts'

// Larger groups gain little, and the first response of a group waits until the whole group has run. Their memory would also
// outlive the young generation.
const callsPerGroup = 32

/**
 * Creates a queue of tasks. The event loop first reads all arrived data. The tasks that this data adds then run as a group.
 *
 * Groups make many concurrent requests faster. The requests of a group run each step of the service in succession, while the
 * code of the step is in the processor's caches. Their responses are written in succession too, so a client with many
 * connections wakes once for the group. A single request only waits for the end of the event loop's turn.
 *
 * @returns a function that adds a task, which must not throw
 */
export function createTurnQueue(): TurnQueue {
  const waiting: { readonly task: Task; readonly calls: number }[] = []
  function runGroup(): void {
    let [size, calls] = [0, 0]
    while (size < waiting.length && calls < callsPerGroup) calls += waiting[size++]?.calls ?? 0
    const group = waiting.splice(0, size)
    if (waiting.length > 0) setImmediate(runGroup)
    for (const { task } of group) task()
  }
  return (task, calls = 1) => {
    if (waiting.push({ task, calls }) === 1) setImmediate(runGroup)
  }
}

/** Adds a task of one call, or of a batch of several calls, to the queue. */
export type TurnQueue = (task: Task, calls?: number) => void

type Task = () => void

/** Returns a `fetch` whose requests wait in a queue. */
export function queueFetch(fetch: Fetch, addTask: TurnQueue): Fetch {
  return (...call) => new Promise((resolve) => addTask(() => resolve(fetch(...call)), countCalls(call[0].url)))
}
