import { Errors } from '@agio/core'
import { expect, it } from 'vitest'
import { createCallOutcomes } from './createCallOutcomes.ts'

it('a failed call whose input is nested too deeply for JSON has its outcome', () => {
  const input: unknown = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)
  const outcomes = createCallOutcomes(['webhooks.replay'], { 0: input })
  outcomes.addFailure({ path: 'webhooks.replay', input, error: Errors.invalidRequest({ field: 'id', reason: 'test' }) })
  expect(outcomes.list()).toMatchObject([{ operation: 'webhooks.replay', status: 400 }])
})
