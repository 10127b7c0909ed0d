import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { toFailure } from '@agio/react/internal'
import { type AgioAdmin, type ApiKey, createAgioAdmin, readAllKeys } from '@agio/sdk/admin'
import { useCallback, useMemo } from 'react'
import { useConsole, useSettings } from '../settings/console.ts'
import { useKeyText } from '../errors/ApiKeyForm.tsx'
import { ErrorNotice } from '../errors/ErrorNotice.tsx'
import { explainAdminError } from './keys.ts'
import styles from './operate.module.css'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { Page, Panel } from '../ui/Panel.tsx'
import { type Month, toMonth } from '../usage/months.ts'

/** A page that shows its content once the admin key is entered. */
export function OperatorPage({ children, actions, ...props }: Page.Props) {
  const { adminKey, setAdminKey } = useSession()
  const hasKey = adminKey !== ''
  const queryClient = useQueryClient()
  const forget = (
    <Button
      size="small"
      onClick={() => {
        setAdminKey('')
        queryClient.removeQueries({ queryKey: [adminQueries] })
      }}
    >
      Forget the admin key
    </Button>
  )
  const shown = (
    <>
      {actions}
      {forget}
    </>
  )
  return (
    <Page {...props} actions={hasKey && shown}>
      {hasKey ? children : <AdminKeyForm />}
    </Page>
  )
}

/** A form for the admin key. If the service accepts the key, it is kept only in the memory of the page. */
function AdminKeyForm() {
  const settings = useSettings()
  const queryClient = useQueryClient()
  const createAdmin = useCreateAdmin()
  const setAdminKey = useSession((session) => session.setAdminKey)
  const check = useMutation({
    mutationFn: (adminKey: string) => queryClient.fetchQuery(toStatsQuery(createAdmin(adminKey), toMonth(Date.now()))),
    onSuccess: (_, adminKey) => setAdminKey(adminKey),
    // The variable of the mutation is the key.
    gcTime: 0,
  })
  const localKey = settings.local?.adminKey
  const { field, submit } = useKeyText(check.mutate)
  return (
    <Panel title="Enter the admin key">
      <p>For operators of the service. The key is kept in the memory of this page until you reload it.</p>
      <form
        className={styles['adminKeyFormForm']}
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextField label="Admin key" {...field} />
        <Button type="submit" isBusy={check.isPending}>
          Continue
        </Button>
      </form>
      {localKey !== undefined && (
        <p className={styles['offer']}>
          <Button isBusy={check.isPending} onClick={() => check.mutate(localKey)}>
            Use the local admin key
          </Button>
        </p>
      )}
      {check.error && (
        <div className={styles['error']}>
          <AdminErrorNotice error={check.error} at={check.submittedAt} />
        </div>
      )}
    </Panel>
  )
}

/** Explains the error of a call with the admin key. */
export function AdminErrorNotice(props: Omit<ErrorNotice.Props, 'explanation'>) {
  return <ErrorNotice {...props} explanation={explainAdminError(toFailure(props.error).code)} />
}

/** The prefix of the cache keys of all queries with the admin key. */
export const adminQueries = 'admin'

/** Returns a function that creates the operator client. Like all calls of the page, its calls are recorded without the key. */
function useCreateAdmin(): (adminKey: string) => AgioAdmin {
  const { agioOptions } = useConsole()
  return useCallback(
    (adminKey) => createAgioAdmin({ url: agioOptions.url, adminKey, fetch: agioOptions.fetch, maxRetries: 0 }),
    [agioOptions],
  )
}

/** Returns the operator client with the admin key of the page. */
export function useAdmin(): AgioAdmin {
  const adminKey = useSession((session) => session.adminKey)
  const createAdmin = useCreateAdmin()
  return useMemo(() => createAdmin(adminKey), [adminKey, createAdmin])
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

/** Returns a function that refreshes the keys and their usage. */
export function useRefreshKeys(): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: [adminQueries] })
}

/** Returns the query for the usage of all keys in a month. */
export function toStatsQuery(admin: AgioAdmin, month: Month) {
  return queryOptions({
    queryKey: [adminQueries, 'stats', month],
    queryFn: ({ signal }) => readAllKeys((page) => admin.stats.query({ month, page }, { signal })),
  })
}
