import { callBoth } from './callBoth.ts'
import type { Case, Cases } from './Case.ts'
import type { Stage } from './startCodesStack.ts'

const over =
  (...fault: Parameters<Stage['put']>): Case =>
  async ({ local, inputs, put }) => {
    await put(...fault)
    return await callBoth(local.url, ['approval.check', inputs['approval.check']])
  }

/** The codes of faulty nodes. */
export const upstreamCases = {
  'svc/upstream-error': over('rpc-garbage'),
  'svc/upstream-unavailable': over('rpc-down'),
  'svc/upstream-timeout': over('rpc-slow', { ms: 60_000 }),
} as const satisfies Cases
