import type { CallResponse } from '../service/calls.ts'

/** The outcome of a call in one word, and the code of its error. */
type Outcome = {
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

/** Formats a JSON response with one line for each value. Returns undefined for a body that is not JSON or is cut. */
export function formatResponse({ text, isCut }: Pick<CallResponse, 'text' | 'isCut'>): string | undefined {
  if (isCut) return undefined
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return undefined
  }
}

/** Formats a number of bytes: `812 B`, `12.3 kB`, `1.2 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 999_950 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
