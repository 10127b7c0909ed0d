import type { Clock } from '@agio/core'
import { openStore, type ObserveQuery, type Store, type StoreLog } from '@agio/store'
import type { Settings } from '../settings/Settings.ts'

/** Opens the store of the settings, with their keys. Prints what the start waits for. */
export async function openServiceStore(
  settings: Settings,
  { hasNewChains, print, onWait, ...options }: Options,
): Promise<Store> {
  const { databaseUrl, dataDir, masterKeys, backupDir, presetKeys = [], migrate: mode } = settings
  await using opening = new AsyncDisposableStack()
  const location = databaseUrl ? { url: databaseUrl } : { folder: dataDir }
  const requestLog = { days: settings.requestLogDays, maxRows: settings.requestLogRows }
  const migration = {
    mode,
    async onWait(reason: string) {
      print(`starting: ${reason}`)
      await onWait?.()
    },
  }
  const store = await openStore({ location, masterKeys, backupDir, requestLog, migration, ...options })
  opening.defer(() => store.close())
  if (hasNewChains === true) await store.local?.forgetTransactions()
  for (const key of presetKeys) {
    const metadata = { name: key.secret, email: 'local@localhost', useCase: 'local development', expectedVolume: 'any' }
    await store.keys.ensure({ ...metadata, ...key })
  }
  opening.move()
  return store
}

type Options = Clock.Clock & {
  readonly log: StoreLog
  /** Observes each statement and each transaction. */
  readonly observe: ObserveQuery
  /** Whether the chains of a local stack are new, so that the transactions of earlier chains are forgotten. Default: false. */
  readonly hasNewChains?: boolean | undefined
  /** Writes a line to the output of the log. */
  print(line: string): void
  /** Called once if the start waits for the database. If it fails, the start fails. */
  readonly onWait?: (() => Promise<void>) | undefined
}
