import { expect, it } from 'vitest'
import { startSdkStack } from '../startSdkStack.ts'
import { behaviours } from './behaviours.ts'
import { createActor } from './createActor.ts'
import { paidBy, runThrough } from './runThrough.ts'
import { setUp } from '../../harness/setUp.ts'

const stack = setUp(startSdkStack)

it.each(behaviours)('$name pays once, and the conversion returns the receipt by itself', async (behaviour) => {
  const { outcome } = await runThrough(stack, await createActor(stack, behaviour))
  // At most a signature that an account with code cannot use, an approval and the conversion.
  expect([1, 2, 3].map(paidBy)).toContainEqual(outcome)
})
