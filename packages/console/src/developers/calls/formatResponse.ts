import type { CallResponse } from '../../service/calls.ts'

/** Formats a JSON response with one line for each value. Returns undefined for a body that is not JSON or is cut. */
export function formatResponse({ text, isCut }: Pick<CallResponse, 'text' | 'isCut'>): string | undefined {
  if (isCut) return undefined
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return undefined
  }
}
