import { queryOptions, useQuery } from '@tanstack/react-query'
import { readOperations, type OpenApiDocument } from '../code/operations.ts'
import { requestJson } from '../request/requestJson.ts'

const operationsOptions = queryOptions({
  queryKey: ['/openapi.json'],
  queryFn: async ({ signal }) => readOperations((await requestJson('/openapi.json', { signal })) as OpenApiDocument),
  // The document changes only with the version of the service.
  staleTime: 'static',
  gcTime: Infinity,
})

/** Reads the REST operations from the OpenAPI document of the service when they are first needed. */
export function useOperations() {
  return useQuery(operationsOptions)
}
