import { expect } from 'vitest'
import type { Step } from './requestPlan.ts'
import type { Wallet } from '../harness/Wallet.ts'

/** A signature as a build takes it. */
export type Permit = {
  readonly kind: 'permit' | 'permit2'
  readonly deadline: number
  readonly signature: string
  readonly amount?: string
  readonly nonce?: string
}

/** Signs the typed data of a step, and returns it as a build takes it. */
export async function signStep(
  { signTypedData }: Pick<Wallet, 'signTypedData'>,
  step: Step | undefined,
): Promise<Permit> {
  expect(step).toMatchObject({ kind: expect.stringMatching(/^permit2?$/), typedData: {}, permit: {} })
  if (!step?.typedData) throw new Error('Cannot sign the step: it has no typed data')
  return { ...step.permit, signature: await signTypedData(step.typedData) } as Permit
}
