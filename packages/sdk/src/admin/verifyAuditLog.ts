import { toHex } from '../client/toHex.ts'
import type { ListAuditEventsInput } from './AdminApi.ts'
import type { AuditEvent, AuditLog } from './adminSchemas.ts'

const pageSize = 1000
const defaultMaxEvents = 10_000_000

/**
 * Reads the whole audit log, and verifies the hash of each event and the chain of hashes. Someone who can write to the database
 * may rewrite the whole chain, or remove its beginning. Keep the `newest` event and the position of `removed` of an earlier result
 * elsewhere, and pass them as `known` to detect this.
 *
 * @throws `RangeError` for a log with more than `maxEvents`
 *
 * @example
 * const audit = await verifyAuditLog((page) => admin.audit.query(page), { known: { position: 1204, hash, removed: 0 } })
 * if (audit.fault) console.error(`Event ${audit.fault.position} was ${audit.fault.kind}`)
 */
export async function verifyAuditLog(
  readPage: (page: ListAuditEventsInput) => Promise<AuditLog>,
  { known, maxEvents = defaultMaxEvents }: AuditOptions = {},
): Promise<AuditVerification> {
  const first = await readPage({ limit: pageSize })
  const { newest } = first
  let page = first
  let { removed } = page
  let fault: AuditFault | undefined
  let count = 0
  // What the event above says of the event below it. The log is read from its end, so the last fault is the first event.
  let expected: ExpectedEvent = newest
  if (known && known.position > newest.position) fault = { position: newest.position + 1, kind: 'removed' }
  for (;;) {
    // A service can invent events as fast as they are read.
    if (count + expected.position - removed.position > maxEvents)
      throw new RangeError(`Cannot verify the audit log: it has more than ${maxEvents} events. Pass a larger maxEvents`)
    // An event above the newest was written meanwhile, or planted: see findEndFault.
    const events = page.events.filter(({ position }) => position <= expected.position)
    // Pages go down from the newest event. A service that repeats events, or invents them, would be read for ever.
    const isFull = page.events.length >= pageSize
    if (isFull && !goesDown(events))
      return { newest, removed, count, fault: { position: expected.position, kind: 'changed' } }
    for (const event of events) {
      const found = await findFault(event, expected, known)
      fault = found ?? fault
      // A changed event says nothing reliable of the event below it.
      const isChanged = found?.kind === 'changed'
      expected = { position: event.position - 1, hash: isChanged ? undefined : event.previousHash }
      count += 1
    }
    if (!isFull) break
    page = await readPage({ limit: pageSize, before: expected.position + 1 })
    removed = page.removed
  }
  if (expected.position > removed.position) fault = { position: removed.position + 1, kind: 'removed' }
  else if (expected.hash !== undefined && expected.hash !== removed.hash)
    fault = { position: expected.position + 1, kind: 'changed' }
  else if (known?.position === removed.position && known.hash !== removed.hash)
    fault = { position: known.position, kind: 'changed' }
  fault ??= findEndFault(first, await readPage({ limit: 1 }))
  const isCut = known?.removed !== undefined && removed.position > known.removed && first.retentionDays === undefined
  if (isCut) fault = { position: (known.removed ?? 0) + 1, kind: 'removed' }
  return { newest, removed, count, fault }
}

/** Compares the end of the log with its end after all pages were read: by then, it has the events that were above it before. */
function findEndFault({ events, newest }: AuditLog, { newest: end }: AuditLog): AuditFault | undefined {
  if (end.position < newest.position) return { position: end.position + 1, kind: 'removed' }
  if (end.position === newest.position && end.hash !== newest.hash) return { position: end.position, kind: 'changed' }
  const planted = events.map(({ position }) => position).filter((position) => position > end.position)
  return planted.length === 0 ? undefined : { position: Math.min(...planted), kind: 'changed' }
}

/** The position and the hash of an event. */
export type AuditLink = { readonly position: number; readonly hash: string }

/** The options of a verification. */
export type AuditOptions = {
  readonly known?: KnownAudit | undefined
  /** The most events to read. Default: 10,000,000. */
  readonly maxEvents?: number | undefined
}

/** The newest event of an earlier verification. */
export type KnownAudit = AuditLink & {
  /** The position of `removed` of that verification. Without `AUDIT_DAYS`, it must not have risen. */
  readonly removed?: number | undefined
}

/** The first event of the log that is not as it was written: `changed`, moved or rewritten, or `removed`. */
export type AuditFault = { readonly position: number; readonly kind: 'changed' | 'removed' }

/** The result of a verification. Without a `fault`, the log is complete from `removed` to `newest`. */
export type AuditVerification = {
  readonly newest: AuditLink
  /** The last event that was removed because of its age. */
  readonly removed: AuditLink
  /** The number of events that were read. */
  readonly count: number
  readonly fault?: AuditFault | undefined
}

type ExpectedEvent = { readonly position: number; readonly hash: string | undefined }

/** Returns whether a page has events, and each is below the one before it. */
function goesDown(events: readonly AuditEvent[]): boolean {
  const isBelow = ({ position }: AuditEvent, index: number) =>
    Number.isSafeInteger(position) && position > 0 && position < (events[index - 1]?.position ?? Infinity)
  return events.length > 0 && events.every(isBelow)
}

async function findFault(
  event: AuditEvent,
  expected: ExpectedEvent,
  known: AuditLink | undefined,
): Promise<AuditFault | undefined> {
  const { position, hash } = event
  const isKnown = known?.position !== position || known.hash === hash
  // An event that follows a gap has nothing to compare with.
  const isLinked = position < expected.position || expected.hash === undefined || hash === expected.hash
  if (!isKnown || !isLinked || (await hashEvent(event)) !== hash) return { position, kind: 'changed' }
  return position < expected.position ? { position: position + 1, kind: 'removed' } : undefined
}

/** Returns the hash of an event, as docs/operate/audit.md defines it. */
async function hashEvent(event: AuditEvent): Promise<string> {
  const { position, time, operator, operation, target, address, requestId, fields, previousHash } = event
  const values = [position, time, operator, operation, target, address, requestId, fields, previousHash]
  const text = JSON.stringify(['agio-audit-1', ...values])
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}
