import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { queryClient } from '../../service/trpc.ts'
import { healthIntervalMs } from '../../service/useHealth.ts'
import { listScenarios, resetScenarios, runScenario, type ScenarioFields } from './scenarioApi.ts'

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
