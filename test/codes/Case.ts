import type { ErrorCode } from '@agio/core'
import type { Failed } from './Failed.ts'
import type { Stage } from './startCodesStack.ts'

/** Provokes a code on the stage, over REST and over tRPC. What it spoils is mended when its test ends. */
export type Case = (stage: Stage) => Promise<Readonly<Record<'REST' | 'tRPC', Failed>>>

/** The cases of some codes. */
export type Cases = Readonly<Partial<Record<ErrorCode, Case>>>
