import { Errors, toSafeEcho } from '@agio/core'
import type { LocalHandler } from '@agio/server'
import type { Scenarios } from '../scenarios/createScenarios.ts'
import { isScenarioName, listScenarios } from '../scenarios/scenarios.ts'
import type { Snapshots } from '../state/createSnapshots.ts'
import type { StackTime } from '../state/createTime.ts'
import type { TravelTime } from '../state/parseTravelTime.ts'

/**
 * Creates the handler of the paths under `/local/`: the scenarios and the funding, `GET /local/time` and `POST /local/time`,
 * `POST /local/snapshots`, `POST /local/snapshots/{id}/restore` and `DELETE /local/snapshots/{id}`.
 */
export function createLocalHandler({ scenarios, time, snapshots }: createLocalHandler.Dependencies): LocalHandler {
  const { run, reset, fund, listChains } = scenarios
  return (path) => {
    if (path === '/local/fund') return { POST: fund }
    if (path === '/local/time') return handleTime(time)
    if (path === '/local/scenarios') return { GET: async () => ({ scenarios: listScenarios(), chains: listChains() }) }
    if (path.startsWith('/local/snapshots')) return handleSnapshots(snapshots, path)
    const name = /^\/local\/scenarios\/([^/]+)$/.exec(path)?.[1]
    if (name === undefined) return undefined
    // `run` and `reset` validate the fields.
    if (name === 'reset') return { POST: async (fields) => ({ scenario: name, chains: await reset(fields) }) }
    if (isScenarioName(name)) return { POST: (fields) => run(name, fields as never) }
    const names = listScenarios().map((scenario) => scenario.name)
    throw Errors.notFound({
      action: `find scenario '${toSafeEcho(name)}'`,
      reason: `the scenarios are ${names.join(', ')}`,
    })
  }
}

export declare namespace createLocalHandler {
  type Dependencies = { readonly scenarios: Scenarios; readonly time: StackTime; readonly snapshots: Snapshots }
}

type Endpoint = ReturnType<LocalHandler>

function handleTime({ now, travel }: StackTime): Endpoint {
  return {
    GET: async () => ({ time: now().toISOString() }),
    async POST({ to, ...others }) {
      assertNoFields(others)
      // `travel` validates the time.
      return { time: (await travel(to as TravelTime)).toISOString() }
    },
  }
}

function handleSnapshots({ take, restore, discard }: Snapshots, path: string): Endpoint {
  const [, id, operation] = /^\/local\/snapshots(?:\/([^/]+)(\/restore)?)?$/.exec(path) ?? [path, undefined, path]
  const withoutFields = (work: () => Promise<unknown>) => async (fields: Readonly<Record<string, unknown>>) => {
    assertNoFields(fields)
    return await work()
  }
  if (id === undefined)
    return operation === undefined ? { POST: withoutFields(async () => ({ id: await take() })) } : undefined
  if (operation === undefined) return { DELETE: withoutFields(async () => (await discard(id), { id })) }
  return { POST: withoutFields(async () => (await restore(id), { id })) }
}

function assertNoFields(fields: Readonly<Record<string, unknown>>): void {
  const [unknown] = Object.entries(fields)
  if (unknown) throw Errors.invalidRequest({ field: unknown[0], value: unknown[1], reason: 'unknown option' })
}
