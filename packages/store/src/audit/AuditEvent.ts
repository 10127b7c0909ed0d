import { hash } from 'node:crypto'

/** Who makes a change, by which operation, and from where. */
export type Actor = {
  /** The name of the operator, or `key:<id>` for an API key that changes itself. */
  readonly operator: string
  readonly operation: string
  /** The IP address of the client. */
  readonly address: string
  readonly requestId: string
}

/** What a change affects. */
export type AuditedChange = {
  /** The id of a key or of a secret, or a pair of tokens. */
  readonly target: string
  /** The names of the changed fields, never their values. */
  readonly fields: readonly string[]
}

/** A change in the audit log. */
export type AuditEvent = Actor &
  AuditedChange & {
    /** 1 for the first event. Each event has the position after the event before it. */
    readonly position: number
    /** By the database's clock, in milliseconds. */
    readonly time: Date
    /** The hash of the event before; 64 zeros for the first event. */
    readonly previousHash: string
    /** SHA-256 of the text of this event, in hex. */
    readonly hash: string
  }

/** The position and the hash of an event. */
export type AuditLink = Pick<AuditEvent, 'position' | 'hash'>

/** What precedes the first event. */
export const genesis: AuditLink = { position: 0, hash: '0'.repeat(64) }

/**
 * Returns the hash of an event: SHA-256 of a JSON array without spaces, in UTF-8. docs/operate/audit.md documents the text, so
 * that others can verify the log.
 */
export function hashEvent(event: Omit<AuditEvent, 'hash'>): string {
  const { position, time, operator, operation, target, address, requestId, fields, previousHash } = event
  const values = [position, time.toISOString(), operator, operation, target, address, requestId, fields, previousHash]
  return hash('sha256', JSON.stringify(['agio-audit-1', ...values]), 'hex')
}
