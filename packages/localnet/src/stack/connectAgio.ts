import type { Network } from '@agio/core'
import type { ScenarioChain, Scenarios } from '../scenarios/createScenarios.ts'
import { runScenarioFile } from '../scenarios/runScenarioFile.ts'
import type { LocalSnapshot } from '../service/startLocalService.ts'
import type { StackTime } from '../state/createTime.ts'
import type { StackScenarios } from './createPlays.ts'
import { createStackClient, type StackClient, type StackConnection } from './createStackClient.ts'

/**
 * Connects to a stack that runs in another process, and changes it over HTTP.
 *
 * @throws from its functions: `Error` with the message of the service, and with its error code as `code`
 */
export function connectAgio<Id extends Network.ChainId>(connection: StackConnection<Id>): ConnectedAgio<Id> {
  const request = createRequest(connection)
  const listChains = async () => (await request<{ chains: readonly ScenarioChain[] }>('GET', 'scenarios')).chains
  const reset: Scenarios['reset'] = async (fields = {}) =>
    (await request<Reset>('POST', 'scenarios/reset', fields)).chains
  const run: Scenarios['run'] = async (name, ...[fields = {}]) => await request('POST', `scenarios/${name}`, fields)
  const target: runScenarioFile.Target = {
    run: (name, fields) => request('POST', `scenarios/${name}`, fields),
    listChains,
  }
  return {
    ...createStackClient(connection, (fields) => request('POST', 'fund', fields)),
    scenarios: { run, reset, listChains, play: (file, options) => runScenarioFile(file, target, options) },
    time: {
      now: async () => new Date((await request<Time>('GET', 'time')).time),
      travel: async (to) => new Date((await request<Time>('POST', 'time', { to })).time),
    },
    async snapshot() {
      const { id } = await request<{ readonly id: string }>('POST', 'snapshots', {})
      return { id, restore: () => restore(id) }
    },
    restore,
  }

  async function restore(id: string): Promise<void> {
    await request('POST', `snapshots/${encodeURIComponent(id)}/restore`, {})
  }
}

/** A stack that runs in another process. */
export type ConnectedAgio<Id extends Network.ChainId = Network.ChainId> = StackClient<Id> & {
  readonly scenarios: Pick<StackScenarios, 'run' | 'reset' | 'play'> & {
    /** Lists the chains, with the values that scenario options accept and the active faults. */
    listChains(): Promise<readonly ScenarioChain[]>
  }
  readonly time: Pick<StackTime, 'travel'> & {
    /** Returns the time of the service and of its chains. */
    now(): Promise<Date>
  }
  /** Takes a snapshot of the chains and the service. @throws `svc/invalid-request` while a fault is active */
  snapshot(): Promise<LocalSnapshot>
  /** Returns the stack to a snapshot by its id. @throws `svc/not-found` if the snapshot is gone */
  restore(id: string): Promise<void>
}

type Reset = { readonly chains: Awaited<ReturnType<Scenarios['reset']>> }

type Time = { readonly time: string }

/** Returns a function that calls a path below `/local/` with the admin key. */
function createRequest({ url, adminKey }: Pick<StackConnection, 'url' | 'adminKey'>) {
  return async <Data>(method: 'GET' | 'POST', path: string, body?: object): Promise<Data> => {
    const headers = { 'x-admin-key': adminKey, ...(body && { 'content-type': 'application/json' }) }
    const content = body && { body: JSON.stringify(body) }
    const response = await fetch(`${url}/local/${path}`, { method, headers, ...content })
    const answer = (await response.json()) as Answer<Data>
    if (answer.success) return answer.data
    throw Object.assign(new Error(answer.error), { code: answer.code })
  }
}

type Answer<Data> =
  | { readonly success: true; readonly data: Data }
  | { readonly success: false; readonly error: string; readonly code: string }
