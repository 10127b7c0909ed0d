import type { ErrorCode } from '@agio/core'
import { onTestFinished } from 'vitest'
import { apiKey } from '../harness/settingsFor.ts'
import { openStream } from '../streams/openStream.ts'
import { callBoth, sendBoth } from './callBoth.ts'
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

/** The code of a process with its maximum number of streams. */
const streamCases = {
  async 'svc/streams-full'({ local: { url } }) {
    const topics = [{ topic: 'health' }]
    const stream = await openStream(url, { topics, apiKey })
    onTestFinished(stream.close)
    const encode = (input: unknown) => encodeURIComponent(JSON.stringify(input))
    const rest = { path: `/api/v1/stream?topics=${encode(topics)}`, operation: 'stream.watch' }
    return await sendBoth(url, rest, { path: `/trpc/stream.watch?input=${encode({ topics })}` })
  },
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
  ...streamCases,
}
