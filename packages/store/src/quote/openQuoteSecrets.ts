import { Errors } from '@agio/core'
import type { Actor } from '../audit/AuditEvent.ts'
import type { Database } from '../database/Database.ts'
import { throwStorageError } from '../database/toStorageError.ts'
import { createTableCache } from '../database/createTableCache.ts'
import type { Keyring } from '../encryption/createKeyring.ts'
import {
  createFirstSecret,
  createNextSecret,
  deleteSecrets,
  readSecrets,
  replaceSecrets,
  type QuoteSecret,
  type RotatedQuoteSecret,
  type StoredSecret,
} from './quoteSecretQueries.ts'

const minuteMs = 60_000
// How long a secret verifies after another secret replaced it.
const verifiesForMs = 90 * 24 * 60 * minuteMs
const lookUpEveryMs = 1000

/**
 * Opens the secrets that sign quotes, and creates the first secret if the database has none. All times are by the
 * database's clock. Between readings it is extrapolated by the monotonic clock of the process.
 *
 * @throws what the database throws if it cannot be read or written
 */
export async function openQuoteSecrets(dependencies: openQuoteSecrets.Dependencies): Promise<QuoteSecrets> {
  const { db, signsAfterMs = minuteMs } = dependencies
  const { monotonicMs = () => performance.now() } = dependencies
  const memory = createSecretCache(dependencies, monotonicMs)
  const lookUp = createLookUp(() => memory.refresh(), monotonicMs)
  async function refresh(): Promise<void> {
    await memory.refresh()
    if (memory.isEmpty()) {
      await createFirstSecret(dependencies)
      await memory.refresh()
    }
    const expired = memory.listExpired()
    // If this fails, the next refresh repeats it.
    if (expired.length > 0) await deleteSecrets(db, expired).catch(() => {})
  }
  await refresh()
  async function write(query: Promise<RotatedQuoteSecret | undefined>): Promise<RotatedQuoteSecret> {
    const created = await query.catch(throwStorageError)
    if (!created) throw new Error('Cannot write the secret of quotes: the database returned no row')
    // If this fails, the next poll reads the secret.
    await memory.refresh().catch(() => {})
    return created
  }
  return {
    current: memory.current,
    find: (id) => (memory.has(id) ? memory.find(id) : lookUp().then(() => memory.find(id))),
    rotate: (actor) => write(createNextSecret(dependencies, signsAfterMs, actor)),
    revokeAll: (actor) => write(replaceSecrets(dependencies, actor)),
    refresh,
  }
}

export declare namespace openQuoteSecrets {
  type Dependencies = Pick<Database, 'db' | 'transact'> & {
    readonly keyring: Keyring
    /** How long a secret is stored before it signs; a minute by default. */
    readonly signsAfterMs?: number | undefined
    /** A monotonic clock, in milliseconds. Default: the clock of the process. */
    readonly monotonicMs?: (() => number) | undefined
  }
}

/** The secrets that sign and verify quotes. */
export type QuoteSecrets = {
  /**
   * Returns the current signing secret, from memory.
   *
   * @throws `svc/storage-unavailable` if all secrets were deleted by hand, or if this process cannot decrypt the secret
   */
  current(): QuoteSecret
  /**
   * Returns the secret with an id, from memory or by a look-up in the database, at most once a second. Returns
   * undefined for an unknown id, and 90 days after another secret replaced it.
   *
   * @throws `svc/storage-unavailable` if an unknown id cannot be looked up, or if this process cannot decrypt the secret
   */
  find(id: string): QuoteSecret | undefined | Promise<QuoteSecret | undefined>
  /**
   * Stores a new secret, which signs a minute later, when every process has it in memory. Within that minute, a
   * repeated call returns the same secret instead of rotating again.
   *
   * @throws `svc/storage-unavailable`
   */
  rotate(actor: Actor): Promise<RotatedQuoteSecret>
  /**
   * Deletes all secrets, so that no earlier quote is valid, and creates one that signs at once. Other processes follow
   * within two seconds.
   *
   * @throws `svc/storage-unavailable`
   */
  revokeAll(actor: Actor): Promise<RotatedQuoteSecret>
  /** Reads the secrets of other processes, and deletes the secrets that no longer verify. */
  refresh(): Promise<void>
}

/** Keeps the stored secrets and the database's clock in memory. */
function createSecretCache({ db, keyring }: openQuoteSecrets.Dependencies, monotonicMs: () => number) {
  const table = createTableCache(
    async () => {
      const { secrets, nowMs } = await readSecrets({ db, keyring })
      return { secrets, offsetMs: nowMs - monotonicMs() }
    },
    { secrets: [], offsetMs: 0 },
  )
  const nowMs = () => monotonicMs() + table.get().offsetMs
  const isExpired = (_: unknown, at: number, secrets: readonly StoredSecret[]) => {
    const next = secrets[at + 1]
    return next !== undefined && nowMs() >= next.signsFromMs + verifiesForMs
  }
  return {
    refresh: () => table.refresh(),
    isEmpty: () => table.get().secrets.length === 0,
    listExpired: () =>
      table
        .get()
        .secrets.filter(isExpired)
        .map(({ id }) => id),
    has: (id: string) => table.get().secrets.some((secret) => secret.id === id),
    find(id: string): QuoteSecret | undefined {
      const { secrets } = table.get()
      const at = secrets.findIndex((secret) => secret.id === id)
      const found = secrets[at]
      return !found || isExpired(id, at, secrets) ? undefined : open(found)
    },
    current(): QuoteSecret {
      const { secrets } = table.get()
      const current = secrets.findLast(({ signsFromMs }) => signsFromMs <= nowMs()) ?? secrets[0]
      if (current) return open(current)
      throw Errors.storageUnavailable({ action: 'sign a quote', reason: 'the database holds no secret' })
    },
  }
}

/** Returns a stored secret. @throws `svc/storage-unavailable` if it cannot be decrypted */
function open(stored: StoredSecret): QuoteSecret {
  if ('unreadable' in stored) throw stored.unreadable
  return stored
}

/** Creates a look-up that reads at most once a second. Calls within a second share the result of the last read. */
function createLookUp(read: () => Promise<void>, monotonicMs: () => number): () => Promise<void> {
  let readAtMs = Number.NEGATIVE_INFINITY
  let last: Promise<void> = Promise.resolve()
  return () => {
    if (monotonicMs() - readAtMs >= lookUpEveryMs) {
      readAtMs = monotonicMs()
      last = read().catch(throwStorageError)
    }
    return last
  }
}
