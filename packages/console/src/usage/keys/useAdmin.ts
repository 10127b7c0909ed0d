import { createAgioAdmin, type AgioAdmin } from '@agio/sdk/admin'
import { useMemo } from 'react'
import { fetchRecorded } from '../../service/calls.ts'
import { queryClient } from '../../service/trpc.ts'
import { useSession } from '../../session/session.ts'

/** The first part of the keys of all queries with the admin key. */
export const adminQueries = 'admin'

/** Creates the operations of operators. Their calls are recorded without the key, as all calls of the page. */
export function createAdmin(adminKey: string): AgioAdmin {
  return createAgioAdmin({ url: '/', adminKey, fetch: fetchRecorded, maxRetries: 0 })
}

/** Returns the operations with the admin key of the page. */
export function useAdmin(): AgioAdmin {
  const adminKey = useSession((session) => session.adminKey)
  return useMemo(() => createAdmin(adminKey), [adminKey])
}

/** Forgets the admin key, and what the page has read with it. */
export function forgetAdminKey(): void {
  useSession.getState().setAdminKey('')
  queryClient.removeQueries({ queryKey: [adminQueries] })
}

/** Reads the keys and their usage again. */
export function refreshKeys(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [adminQueries] })
}
