import type { Address } from '@agio/core'
import { expect } from 'vitest'
import type { Caller } from '../harness/Caller.ts'
import type { Sendable, TypedData } from '../harness/Wallet.ts'

/** The fields of a plan of approvals that tests read. */
export type Plan = {
  readonly steps: readonly Step[]
  readonly spenderAddress: Address
  readonly currentAllowance: string
  readonly requiredAmount: string
}

/** A step of a plan: a transaction to send, or typed data to sign. */
export type Step = {
  readonly kind: 'reset' | 'approve' | 'permit' | 'permit2'
  readonly reason: string
  readonly transaction?: Sendable
  readonly typedData?: TypedData
  readonly permit?: Readonly<Record<string, unknown>>
  readonly fallback?: readonly Step[]
}

/** Requests a plan, and asserts that it can be read. */
export async function requestPlan(call: Caller, input: Readonly<Record<string, unknown>>): Promise<Plan> {
  const { status, data, failure } = await call('approval.plan', input)
  expect({ status, failure }).toEqual({ status: 200, failure: undefined })
  return data as unknown as Plan
}

/** The kinds of the steps of a plan, in order. */
export function kindsOf(steps: readonly Step[] | undefined): readonly string[] | undefined {
  return steps?.map(({ kind }) => kind)
}
