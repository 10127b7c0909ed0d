import { readAllKeys, type AgioAdmin } from '@agio/sdk/admin'
import { queryOptions } from '@tanstack/react-query'
import type { Month } from '../calls/months.ts'
import { adminQueries } from './useAdmin.ts'

/** Returns the query for the usage of all keys in a month. */
export function toStatsQuery(admin: AgioAdmin, month: Month) {
  return queryOptions({
    queryKey: [adminQueries, 'stats', month],
    queryFn: ({ signal }) => readAllKeys((page) => admin.stats.query({ month, page }, { signal })),
  })
}
