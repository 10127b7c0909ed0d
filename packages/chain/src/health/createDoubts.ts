// Nodes that disagree about a final receipt or the state of a block: one of them is wrong.
const contradictions: ReadonlySet<string> = new Set(['receipt', 'state'])

// Nodes are suspect for this time after they have disagreed.
const suspectForMs = 600_000

// One report per minute shows that a node continues.
const reportEveryMs = 60_000

/** Counts the answers of nodes that are not plausible or that another node contradicts, and reports them once a minute. */
export function createDoubts({ onDoubt, now = () => performance.now() }: createDoubts.Dependencies = {}) {
  const counts = new Map<DoubtSubject, number>()
  const reportedAtMs = new Map<string, number>()
  let contradictedAtMs = -Infinity
  return {
    add(doubt: Doubt): void {
      const { subject, position } = doubt
      counts.set(subject, (counts.get(subject) ?? 0) + 1)
      if (contradictions.has(subject)) contradictedAtMs = now()
      const key = `${subject} ${position}`
      if (now() - (reportedAtMs.get(key) ?? -Infinity) < reportEveryMs) return
      reportedAtMs.set(key, now())
      onDoubt?.(doubt)
    },
    /** Returns whether nodes have disagreed about a final receipt or the state of a block in the last ten minutes. */
    isSuspect: () => now() - contradictedAtMs <= suspectForMs,
    /** Returns the number of doubtful answers since the start. */
    count: (subject: DoubtSubject) => counts.get(subject) ?? 0,
  }
}

export declare namespace createDoubts {
  type Dependencies = {
    /** Called with a doubtful answer of a node, at most once a minute for each node and subject. */
    readonly onDoubt?: ((doubt: Doubt) => void) | undefined
    readonly now?: (() => number) | undefined
  }
}

/** What nodes may be doubted about. */
export const doubtSubjects = ['fees', 'gas', 'head', 'receipt', 'state'] as const

export type DoubtSubject = (typeof doubtSubjects)[number]

/** A doubtful answer of the node at a position in the order of preference, from 1. */
export type Doubt = { readonly subject: DoubtSubject; readonly position: number }

/** The doubtful answers of the nodes of a chain. */
export type Doubts = ReturnType<typeof createDoubts>
