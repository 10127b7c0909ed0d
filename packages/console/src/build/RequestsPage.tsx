import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { MissingKey } from './KeyPage.tsx'
import { ErrorNotice } from '../errors/ErrorNotice.tsx'
import { trpc } from '../service/trpc.ts'
import { useSession } from '../session/session.ts'
import { servicePath } from '../settings/settings.ts'
import { Page } from '../ui/Page.tsx'
import { RequestLog, requestsPerPage, useRequestFilter } from '../usage/RequestLog.tsx'

/** The page of the key's request log. */
export function RequestsPage() {
  const hasKey = useSession(({ apiKey }) => apiKey !== '')
  const state = useRequestFilter()
  const query = useQuery(
    trpc.usage.requests.queryOptions(hasKey ? { ...state.filter, limit: requestsPerPage } : skipToken, {
      placeholderData: keepPreviousData,
    }),
  )
  const { data, error, errorUpdatedAt, isFetching, refetch } = query
  return (
    <Page
      title="Requests"
      intro={
        <>
          The latest calls of your key, without secrets. Each error code opens its cause and its fix. See{' '}
          <a href={`${servicePath}/docs/guide/request-log`}>what is logged</a>.
        </>
      }
    >
      {hasKey ? (
        <RequestLog
          title="Requests of your key"
          state={state}
          requests={data?.requests}
          error={error && <ErrorNotice error={error} at={errorUpdatedAt} />}
          isFetching={isFetching}
          onRefresh={() => void refetch()}
        />
      ) : (
        <MissingKey purpose="see its requests" />
      )}
    </Page>
  )
}
