import type { Head } from './Head.ts'
import type { Newest } from './createNewest.ts'

/**
 * Holds the head that everybody sees. The first head, and while the chain is in use each new one, is shown only once it was
 * prepared, and the one before it counts until then: nobody waits for a node because a block came.
 *
 * The block of a reorganisation is shown at once, and so is what comes after a head that nobody has confirmed for its
 * maximum age.
 */
export function createShown({ newest, maxAgeMs, now, ...settings }: createShown.Settings): Shown {
  const { prepare, isInUse, onChange } = settings
  let shown: Confirmed | undefined
  let next: (Confirmed & { readonly prepared: Promise<void> }) | undefined

  const findFresh = () => (shown && now() - shown.confirmedAtMs <= maxAgeMs ? shown.head : undefined)

  function show({ head, confirmedAtMs }: Confirmed): void {
    const isNew = head !== shown?.head
    shown = { head, confirmedAtMs }
    if (isNew) onChange()
  }
  function showNewest(): void {
    const { head, confirmedAtMs } = newest.state()
    if (head) show({ head, confirmedAtMs })
  }
  function follow(): void {
    const { head, confirmedAtMs } = newest.state()
    if (!head) return
    if (next?.head === head) next = { ...next, confirmedAtMs }
    if (!mayWait(head)) return showNewest()
    if (next) return
    const prepared = !shown || isInUse() ? prepare(head, shown?.head) : undefined
    if (!prepared) return showNewest()
    next = { head, confirmedAtMs, prepared: prepared.then(end) }
  }
  /** Whether there is something else to show: of the very first head nothing is known that would be too old. */
  function mayWait(head: Head): boolean {
    if (!shown) return true
    return head !== shown.head && findFresh() !== undefined && newest.isAncestor(shown.head)
  }
  function end(): void {
    const prepared = next
    next = undefined
    // A reorganisation may have replaced it meanwhile. Another block after it is prepared in its turn.
    if (prepared && isAhead(prepared.head) && newest.isAncestor(prepared.head)) show(prepared)
    follow()
  }
  function isAhead({ number }: Head): boolean {
    return shown === undefined || number > shown.head.number
  }
  return {
    state: () => ({ head: shown?.head, confirmedAtMs: shown?.confirmedAtMs ?? -Infinity }),
    findFresh,
    follow,
    async reach(head) {
      // Who has nothing to go on with meanwhile waits for what is prepared, and hears what becomes of it.
      if (!findFresh()) showNewest()
      for (let waited = next; waited && isAhead(head); waited = next) await waited.prepared
      return shown?.head ?? head
    },
  }
}

export declare namespace createShown {
  type Settings = {
    readonly newest: Newest
    /** How long an unconfirmed head may be shown while another one is prepared. */
    readonly maxAgeMs: number
    readonly now: () => number
    /** Whether somebody would have to wait for what is prepared. */
    readonly isInUse: () => boolean
    readonly prepare: Prepare
    readonly onChange: () => void
  }
}

/** Makes ready what belongs to a new head, and never fails; undefined if there is nothing to wait for. */
export type Prepare = (head: Head, shown: Head | undefined) => Promise<void> | undefined

export type Shown = {
  state(): { readonly head: Head | undefined; readonly confirmedAtMs: number }
  /** The head, if a node has confirmed it within `maxAgeMs`. */
  findFresh(): Head | undefined
  /** Takes up what has become of the newest head. */
  follow(): void
  /** Waits until a head, or a later one, is shown. */
  reach(head: Head): Promise<Head>
}

type Confirmed = { readonly head: Head; readonly confirmedAtMs: number }
