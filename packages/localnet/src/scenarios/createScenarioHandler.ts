import { Errors, toSafeEcho } from '@agio/core'
import type { LocalHandler } from '@agio/server'
import type { Scenarios } from './createScenarios.ts'
import { isScenarioName, listScenarios } from './scenarios.ts'

/** Handles `GET /local/scenarios`, `POST /local/scenarios/{name}` and `POST /local/scenarios/reset`. */
export function createScenarioHandler({ run, reset, listChains }: Scenarios): LocalHandler {
  return (path) => {
    if (path === '/local/scenarios') return { GET: async () => ({ scenarios: listScenarios(), chains: listChains() }) }
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
