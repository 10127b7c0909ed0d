import type { ErrorCode } from '@agio/core'
import type { CodesStack } from './startCodesStack.ts'

/** Provokes a code over REST and over tRPC. Its effects are undone when its test ends. */
export type Case = (stack: CodesStack) => Promise<Readonly<Record<'REST' | 'tRPC', FailedCall>>>

/** The cases of some codes. */
export type Cases = Readonly<Partial<Record<ErrorCode, Case>>>

/** An error response. */
export type FailedCall = {
  readonly status: number
  /** The body over REST; the message and the data of the error over tRPC. */
  readonly failure: Readonly<Record<string, unknown>>
}
