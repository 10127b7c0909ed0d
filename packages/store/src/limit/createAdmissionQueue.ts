import type { Admission, Costs, Window } from './Limiter.ts'

/** Requests of one subject, admitted in turn. */
export type Requests = {
  readonly subject: string
  readonly windows: readonly Window[]
  /** The costs of each request. */
  readonly costs: readonly Costs[]
}

/**
 * Creates a queue that admits requests by `admitTogether`, one call at a time for each subject. Requests that arrive in
 * the same turn of the event loop are admitted together. Requests that arrive during a call are admitted after it, in
 * order. Requests share a call if they have the same windows, or if some lack the last windows of the others.
 */
export function createAdmissionQueue(
  admitTogether: (requests: Requests) => Promise<readonly Admission[]>,
): (subject: string, windows: readonly Window[], costs: Costs) => Promise<Admission> {
  // The waiting groups of a subject.
  const queues = new Map<string, Group[]>()

  async function admitInTurn(subject: string, queue: Group[]): Promise<void> {
    // Requests of one group arrive here one after another.
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
  return async (subject, windows, costs) => {
    const queue = queues.get(subject) ?? start(subject)
    const waiting = queue.at(-1)
    const isOpen = waiting !== undefined && haveSameLimits(waiting.windows, windows)
    const group = isOpen ? waiting : createGroup(subject, windows)
    if (windows.length > group.windows.length) group.windows = windows
    const index = group.costs.push(costs) - 1
    if (!isOpen) queue.push(group)
    const admissions = await group.admissions
    const admission = admissions[index] as Admission
    if (windows.length === group.windows.length) return admission
    return { ...admission, states: admission.states.slice(0, windows.length) }
  }
}

type Group = Requests & {
  windows: readonly Window[]
  readonly costs: Costs[]
  readonly admissions: Promise<readonly Admission[]>
  readonly resolve: (admissions: readonly Admission[]) => void
  readonly reject: (error: unknown) => void
}

function createGroup(subject: string, windows: readonly Window[]): Group {
  const { promise: admissions, ...settle } = Promise.withResolvers<readonly Admission[]>()
  return { subject, windows, costs: [], admissions, ...settle }
}

/** Returns whether one list of windows begins the other. */
function haveSameLimits(windows: readonly Window[], others: readonly Window[]): boolean {
  return beginsWith(windows, others) || beginsWith(others, windows)
}

/** Returns whether a list of windows begins with other windows of the same limits. A limit changes with the tier of a key. */
function beginsWith(windows: readonly Window[], first: readonly Window[]): boolean {
  return first.every(({ name, limit }, index) => name === windows[index]?.name && limit === windows[index].limit)
}
