import { queryOptions, useQuery } from '@tanstack/react-query'
import { readOperations, type OpenApiDocument } from '../code/operations.ts'
import { requestJson } from '../request/requestJson.ts'

const operationsOptions = queryOptions({
  queryKey: ['/openapi.json'],
  queryFn: async ({ signal }) => readOperations((await requestJson('/openapi.json', { signal })) as OpenApiDocument),
  // The document changes with the version of the service alone.
  staleTime: 'static',
  gcTime: Infinity,
})

/** The REST operations of the service, read from its own document when they are first needed. */
export function useOperations() {
  return useQuery(operationsOptions)
}
