import { type AgioAdmin, type ApiKey, createAgioAdmin, readAllKeys } from '@agio/sdk/admin'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { fetchRecorded } from '../service/calls.ts'
import { queryClient } from '../service/trpc.ts'
import { useSession } from '../session/session.ts'
import { servicePath } from '../settings/settings.ts'
import type { Month } from '../usage/months.ts'

/** The prefix of the cache keys of all queries with the admin key. */
export const adminQueries = 'admin'

/** Creates the operator client. Like all calls of the page, its calls are recorded without the key. */
export function createAdmin(adminKey: string): AgioAdmin {
  return createAgioAdmin({ url: `${servicePath}/`, adminKey, fetch: fetchRecorded, maxRetries: 0 })
}

/** Returns the operator client with the admin key of the page. */
export function useAdmin(): AgioAdmin {
  const adminKey = useSession((session) => session.adminKey)
  return useMemo(() => createAdmin(adminKey), [adminKey])
}

/** Reads all keys with their restrictions, by id. */
export function useKeys() {
  const admin = useAdmin()
  return useQuery({
    queryKey: [adminQueries, 'keys'],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, ApiKey>> => {
      const { keys } = await readAllKeys((page) => admin.keys.list.query({ page }, { signal }))
      return new Map(keys.map((key) => [key.id, key]))
    },
  })
}

/** Clears the admin key and all data that was read with it. */
export function forgetAdminKey(): void {
  useSession.getState().setAdminKey('')
  queryClient.removeQueries({ queryKey: [adminQueries] })
}

/** Refreshes the keys and their usage. */
export function refreshKeys(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [adminQueries] })
}

/** Returns the query for the usage of all keys in a month. */
export function toStatsQuery(admin: AgioAdmin, month: Month) {
  return queryOptions({
    queryKey: [adminQueries, 'stats', month],
    queryFn: ({ signal }) => readAllKeys((page) => admin.stats.query({ month, page }, { signal })),
  })
}
