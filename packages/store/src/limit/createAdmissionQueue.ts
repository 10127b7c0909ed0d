import type { Admission, Window } from './Limiter.ts'
import type { Requests } from './createStoreAdmission.ts'

/**
 * Admits requests by `admitTogether`, at most once at a time for each subject. Those that arrive in the same turn of the event loop
 * are admitted together, and those that arrive meanwhile afterwards, in their order.
 */
export function createAdmissionQueue(
  admitTogether: (requests: Requests) => Promise<readonly Admission[]>,
): (subject: string, windows: readonly Window[], cost: number) => Promise<Admission> {
  // The groups of a subject that wait.
  const queues = new Map<string, Group[]>()

  async function admitInTurn(subject: string, queue: Group[]): Promise<void> {
    // The requests that are served together arrive here one after another.
    await Promise.resolve()
    for (let group = queue.shift(); group; group = queue.shift()) {
      await admitTogether(group).then(group.resolve, group.reject)
    }
    queues.delete(subject)
  }
  function start(subject: string): Group[] {
    const queue: Group[] = []
    queues.set(subject, queue)
    void admitInTurn(subject, queue)
    return queue
  }
  return async (subject, windows, cost) => {
    const queue = queues.get(subject) ?? start(subject)
    const waiting = queue.at(-1)
    const isOpen = waiting !== undefined && haveSameLimits(waiting.windows, windows)
    const group = isOpen ? waiting : createGroup(subject, windows)
    const index = group.costs.push(cost) - 1
    if (!isOpen) queue.push(group)
    const admissions = await group.admissions
    return admissions[index] as Admission
  }
}

type Group = Requests & {
  readonly costs: number[]
  readonly admissions: Promise<readonly Admission[]>
  readonly resolve: (admissions: readonly Admission[]) => void
  readonly reject: (error: unknown) => void
}

function createGroup(subject: string, windows: readonly Window[]): Group {
  const { promise: admissions, ...settle } = Promise.withResolvers<readonly Admission[]>()
  return { subject, windows, costs: [], admissions, ...settle }
}

// A limit changes with the tier of a key.
function haveSameLimits(some: readonly Window[], others: readonly Window[]): boolean {
  const isSame = (window: Window, other: Window | undefined) =>
    window.name === other?.name && window.limit === other.limit
  return some.length === others.length && some.every((window, index) => isSame(window, others[index]))
}
