import type { Localnet } from '@agio/localnet'
import { startServer, type RunningServer, type Settings } from '@agio/server'
import { openStore, type Store } from '@agio/store'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { copyDatabase } from './copyDatabase.ts'
import { settingsFor, settingsWithoutDatabase, type SettingsChanges } from './settingsFor.ts'

/** Starts a service in the process of the tests, over local chains. */
export async function startTestServer(
  localnet: Localnet,
  changes: startTestServer.Changes = {},
  parts: startServer.Dependencies = {},
): Promise<RunningServer> {
  const { settings, store } = await chooseDatabase(localnet, changes)
  return await startServer(settings, { ...parts, store })
}

export declare namespace startTestServer {
  type Changes = SettingsChanges & {
    /**
     * Whether the service has its own database. By default the services of a worker share one: opening one takes longer than
     * the rest of a start. A test of keys, usage, limits or webhooks needs its own.
     */
    readonly ownDatabase?: boolean | undefined
  }
}

/** Returns the settings of a service, and its store unless it opens one by them. */
export async function chooseDatabase(
  localnet: Localnet,
  { ownDatabase = false, ...changes }: startTestServer.Changes,
): Promise<{ readonly settings: Settings; readonly store: Store | undefined }> {
  if (ownDatabase || changes.databaseUrl !== undefined || changes.presetKeys !== undefined) {
    return { settings: settingsFor(localnet, changes), store: undefined }
  }
  shared ??= openShared()
  return { settings: settingsWithoutDatabase(localnet, changes), store: await shared }
}

let shared: Promise<Store> | undefined

async function openShared(): Promise<Store> {
  const folder = await mkdtemp(join(inject('runFolder'), 'data-'))
  copyDatabase(inject('emptyDatabase'), folder)
  return await openStore({ location: { folder }, log: { info: () => {}, error: () => {} } })
}
