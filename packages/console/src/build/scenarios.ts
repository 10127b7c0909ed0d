import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { createRequestError, requestJson } from '../service/requestJson.ts'
import { queryClient } from '../service/trpc.ts'
import { healthIntervalMs } from '../service/useHealth.ts'
import { settings } from '../settings/settings.ts'

/** Lists the scenarios of the local stack and the active faults of each chain. @throws `RequestError` */
async function listScenarios(signal: AbortSignal): Promise<ScenarioList> {
  return await request<ScenarioList>('/scenarios', { signal })
}

/** Injects a fault and returns the first block where callers see it. @throws `RequestError` */
async function runScenario(name: string, fields: ScenarioFields): Promise<ScenarioResult> {
  return await request<ScenarioResult>(`/scenarios/${name}`, { method: 'POST', body: JSON.stringify(fields) })
}

/** Removes all faults, or those of one chain or one scenario. @throws `RequestError` */
async function resetScenarios(fields: ResetFields = {}): Promise<void> {
  await request('/scenarios/reset', { method: 'POST', body: JSON.stringify(fields) })
}

/** All scenarios, and the chains on which they can run. */
type ScenarioList = { readonly scenarios: readonly Scenario[]; readonly chains: readonly ScenarioChain[] }

/** A fault on demand. */
export type Scenario = {
  readonly name: string
  readonly description: string
  /** The effect on callers of the service. */
  readonly effect: string
  readonly options: Readonly<Record<string, ScenarioOption>>
  /** The error codes that callers get. */
  readonly codes: readonly string[]
  /** Whether the fault has ended when the request returns. Otherwise it stays active until a reset. */
  readonly isMomentary?: boolean
}

/** An option of a scenario, with its type and the allowed values. */
export type ScenarioOption = { readonly description: string; readonly isOptional?: boolean } & (
  | { readonly type: 'number'; readonly min: number; readonly max: number; readonly isWhole?: boolean }
  | { readonly type: 'name'; readonly of: 'oracles' | 'pools' }
  | { readonly type: 'choice'; readonly of: readonly string[] }
  | { readonly type: 'hash' }
)

/** A local chain, with the names that options may take. */
export type ScenarioChain = {
  readonly chainId: number
  readonly oracles: readonly string[]
  readonly pools: readonly string[]
  /** The active faults, oldest first. */
  readonly active: readonly ActiveScenario[]
}

/** A fault that stays active until a reset. */
export type ActiveScenario = {
  readonly scenario: string
  readonly options: Readonly<Record<string, string | number>>
}

/** The options of a scenario and its chain. */
export type ScenarioFields = { readonly chainId?: number } & Readonly<Record<string, string | number>>

type ResetFields = { readonly chainId?: number; readonly scenario?: string }

/** The result of a scenario: the newest block after it. */
export type ScenarioResult = { readonly blockNumber: number }

type Answer<Data> =
  | { readonly success: true; readonly data: Data }
  | { readonly success: false; readonly error: string; readonly code: string; readonly requestId?: string }

async function request<Data>(path: string, init: RequestInit): Promise<Data> {
  const headers = { 'content-type': 'application/json', 'x-admin-key': settings.local?.adminKey ?? '' }
  const answer = (await requestJson(`/local${path}`, { ...init, headers })) as Answer<Data>
  if (answer.success) return answer.data
  const { code, error, requestId } = answer
  throw createRequestError({ code, message: error, requestId })
}

const listOptions = queryOptions({
  queryKey: ['/local/scenarios'],
  queryFn: async ({ signal }) => await listScenarios(signal),
  // Other tabs and `pnpm scenario` may inject faults, too. The request does not count against limits.
  refetchInterval: healthIntervalMs,
})

/** Polls the scenarios of the local stack and the active faults of each chain. */
export function useScenarios() {
  return useQuery(listOptions)
}

/** Injects a fault, then refreshes all data of the page. */
export function useRunScenario(name: string) {
  return useMutation({
    mutationFn: async (fields: ScenarioFields) => await runScenario(name, fields),
    onSettled: refresh,
  })
}

/** Removes all faults of one chain or all chains, then refreshes all data of the page. */
export function useResetScenarios() {
  return useMutation({ mutationFn: resetScenarios, onSettled: refresh })
}

function refresh(): void {
  void queryClient.invalidateQueries()
}

type StackTime = { readonly time: string }

const timeOptions = queryOptions({
  queryKey: ['/local/time'],
  queryFn: async ({ signal }) => await request<StackTime>('/time', { signal }),
})

/** Reads the time of the local stack. */
export function useTime() {
  return useQuery(timeOptions)
}

/** Moves the local stack to a later time, then refreshes all data of the page. */
export function useTravel() {
  return useMutation({
    mutationFn: async (to: string) =>
      await request<StackTime>('/time', { method: 'POST', body: JSON.stringify({ to }) }),
    onSettled: refresh,
  })
}
