import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AdminErrorNotice, adminQueries, OperatorPage, useAdmin, useKeys } from './AdminKeyForm.tsx'
import { SelectField } from '../ui/Field.tsx'
import { RequestLog, requestsPerPage, useRequestFilter } from '../usage/RequestLog.tsx'

/** The page of the request logs of all keys. */
export function KeyRequestsPage() {
  return (
    <OperatorPage title="Requests" intro="The latest calls of all API keys, without secrets.">
      <KeyRequests />
    </OperatorPage>
  )
}

function KeyRequests() {
  const admin = useAdmin()
  const state = useRequestFilter()
  const [keyId, setKeyId] = useState('')
  const { data: keys } = useKeys()
  const input = { ...state.filter, limit: requestsPerPage, ...(keyId !== '' && { keyId }) }
  const { data, error, errorUpdatedAt, isFetching, refetch } = useQuery({
    queryKey: [adminQueries, 'requests', input],
    queryFn: ({ signal }) => admin.requests.query(input, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <RequestLog
      title="Requests of all keys"
      state={state}
      requests={data?.requests}
      error={error && <AdminErrorNotice error={error} at={errorUpdatedAt} />}
      isFetching={isFetching}
      onRefresh={() => void refetch()}
      nameKey={(id) => keys?.get(id)?.name ?? id}
      tools={
        <SelectField label="Key" value={keyId} onChange={({ target }) => setKeyId(target.value)}>
          <option value="">All keys</option>
          {[...(keys?.values() ?? [])].map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      }
    />
  )
}
