import type { Store } from '@agio/store'
import type { ServiceLog } from '../log/createLog.ts'
import type { Settings } from '../settings/Settings.ts'
import { repeat } from '../webhooks/repeat.ts'

const hourMs = 3_600_000

/** Removes old usage and old events of the audit log every hour, if a setting limits their age. Returns the stop. */
export function startRetention(
  { usage, audit }: Pick<Store, 'usage' | 'audit'>,
  { usageDays, auditDays, log }: Options,
): () => Promise<void> {
  if (usageDays === undefined && auditDays === undefined) return async () => {}
  const stopping = new AbortController()
  const { signal } = stopping
  const { stop } = repeat(
    async () => {
      if (usageDays !== undefined) await usage.deleteBefore(usageDays, signal)
      if (auditDays !== undefined) await audit.removeBefore(auditDays, signal)
    },
    { intervalMs: hourMs, onError: (error) => log.warn({ err: error }, 'cannot remove old usage or audit events') },
  )
  return async () => {
    stopping.abort()
    await stop()
  }
}

type Options = Pick<Settings, 'usageDays' | 'auditDays'> & { readonly log: Pick<ServiceLog['log'], 'warn'> }
