import type { CallResponse } from '../../service/calls.ts'

/** The outcome of a call in one word, and the code of its error. */
export type Outcome = {
  readonly label: string
  readonly tone: 'neutral' | 'positive' | 'danger'
  readonly code?: string | undefined
}

/** Describes the outcome of a call, `Pending` without a response. */
export function describeResponse(response: CallResponse | undefined): Outcome {
  if (!response) return { label: 'Pending', tone: 'neutral' }
  const { status, isAborted, text } = response
  if (isAborted) return { label: 'Cancelled', tone: 'neutral' }
  if (status === undefined) return { label: 'No response', tone: 'danger' }
  if (status < 400) return { label: String(status), tone: 'positive' }
  return { label: String(status), tone: 'danger', code: /"code":\s*"(svc\/[a-z-]+)"/.exec(text)?.[1] }
}
