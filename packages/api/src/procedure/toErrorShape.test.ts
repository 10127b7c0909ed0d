import { errorCatalogue, errorCodes, Errors, type ServiceError } from '@agio/core'
import { expect, it } from 'vitest'
import { toErrorShape } from './toErrorShape.ts'

// https://trpc.io/docs/rpc#error-codes---json-rpc-20-error-codes
const documented: Readonly<Record<number, number>> = {
  400: -32_600,
  401: -32_001,
  403: -32_003,
  404: -32_004,
  405: -32_005,
  408: -32_008,
  409: -32_009,
  413: -32_013,
  415: -32_015,
  422: -32_022,
  429: -32_029,
  500: -32_603,
  502: -32_603,
  503: -32_603,
  504: -32_603,
}

it('a tRPC error has the JSON-RPC code that tRPC documents for its status', () => {
  for (const code of errorCodes) {
    const { status } = errorCatalogue[code]
    const error = Object.assign(Errors.internal() as ServiceError, { code })
    const shape = toErrorShape(error, { path: 'pools.list', requestId: 'order-42' })
    expect(shape.code, code).toBe(documented[status] ?? -32_600)
    expect(shape.data).toMatchObject({ code, httpStatus: status, path: 'pools.list', requestId: 'order-42' })
  }
})
