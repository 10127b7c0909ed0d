import { errorCatalogue, errorCodes, type ErrorCode } from '@agio/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findLeak } from './findLeak.ts'
import { describeWith } from '../harness/findServices.ts'
import { adminKey, apiKey } from '../harness/settingsFor.ts'
import type { Case, FailedCall } from './callBoth.ts'
import { keyCases } from './keyCases.ts'
import { quoteCases } from './quoteCases.ts'
import { requestCases } from './requestCases.ts'
import { startCodesStack, type CodesStack } from './startCodesStack.ts'
import { transactionCases } from './transactionCases.ts'
import { webhookCases } from './webhookCases.ts'

const described = await describeWith(['PostgreSQL binaries', 'Redis binary'], 'that each code comes over the wire')

/** The case that provokes each code of the catalogue. A code without a case is a type error. */
const cases: Readonly<Record<ErrorCode, Case>> = {
  ...requestCases,
  ...transactionCases,
  ...keyCases,
  ...quoteCases,
  ...webhookCases,
}

described('an error on the wire', () => {
  let stack: CodesStack

  beforeAll(async () => {
    stack = await startCodesStack()
  })

  afterAll(async () => {
    await stack?.[Symbol.asyncDispose]()
  })

  it.each(errorCodes)('the error %s has the status and fields of the catalogue over REST and tRPC', async (code) => {
    const { REST, tRPC } = await cases[code](stack)
    expectCatalogued(code, REST)
    expectCatalogued(code, tRPC)
    expect(REST.failure['success']).toBe(false)
    expect(new Set([REST, tRPC].map(({ failure }) => failure['requestId'])).size, 'each has its own id').toBe(2)
  })

  it('an error has a type that links to its section of /docs/errors', async () => {
    const page = await (await fetch(`${stack.local.url}/docs/errors`)).text()
    for (const code of errorCodes) expect(page).toContain(`id="${anchorOf(code)}"`)
  })
})

function expectCatalogued(code: ErrorCode, { status, failure }: FailedCall): void {
  const { details, retryable, action, ...entry } = errorCatalogue[code]
  const type = `/docs/errors#${anchorOf(code)}`
  const common = { requestId: expect.stringMatching(/^[\w.:-]{1,128}$/), retryable, action }
  const error = expect.stringMatching(new RegExp(`^${code}: Cannot .+[^.]$`))
  expect({ status, failure }).toMatchObject({ status: entry.status, failure: { code, type, error, ...common } })
  const { success: _, code: _code, type: _type, error: _error, requestId: _id, ...rest } = failure
  // A value that is not a scalar is not echoed. Only broadcasts have a hash: test/broadcast/faults.test.ts proves them.
  const shown = details.filter((field) => (field !== 'value' && field !== 'transactionHash') || field in rest)
  expect(Object.keys(rest).toSorted()).toEqual(['action', 'retryable', ...shown].toSorted())
  expect(findLeak(JSON.stringify(failure), [apiKey, adminKey, '127.0.0.1', 'localhost', '://'])).toBeUndefined()
}

function anchorOf(code: ErrorCode): string {
  return code.slice('svc/'.length)
}
