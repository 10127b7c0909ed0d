import type { CallResponse } from '../../service/calls.ts'

/** Formats the body of a response with a line for each value; undefined if that is not JSON, or not all of it. */
export function formatResponse({ text, isCut }: Pick<CallResponse, 'text' | 'isCut'>): string | undefined {
  if (isCut) return undefined
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return undefined
  }
}
