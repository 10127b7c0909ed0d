import type { ErrorCode } from '@agio/core'
import { callBoth } from './callBoth.ts'
import type { Case, Cases } from './Case.ts'
import { conversionCases } from './conversionCases.ts'
import { inputCases } from './inputCases.ts'
import { keyCases } from './keyCases.ts'
import { quoteCases } from './quoteCases.ts'
import { unreadCases } from './unreadCases.ts'
import type { CodesStack } from './startCodesStack.ts'
import { transactionCases } from './transactionCases.ts'
import { webhookCases } from './webhookCases.ts'

const over =
  (...fault: Parameters<CodesStack['injectFault']>): Case =>
  async ({ local, inputs, injectFault }) => {
    await injectFault(...fault)
    return await callBoth(local.url, ['approval.check', inputs['approval.check']])
  }

/** The codes of faulty nodes. */
const upstreamCases = {
  'svc/upstream-error': over('rpc-garbage'),
  'svc/upstream-unavailable': over('rpc-down'),
  'svc/upstream-timeout': over('rpc-slow', { ms: 60_000 }),
} as const satisfies Cases

/** The case that provokes each code of the catalogue. A code without a case is a type error. */
export const cases: Readonly<Record<ErrorCode, Case>> = {
  ...conversionCases,
  ...inputCases,
  ...unreadCases,
  ...transactionCases,
  ...keyCases,
  ...quoteCases,
  ...webhookCases,
  ...upstreamCases,
}
