import { afterAll, beforeAll, expect, it } from 'vitest'
import { startSdkStack, type SdkStack } from '../startSdkStack.ts'
import { behaviours } from './behaviours.ts'
import { createActor } from './createActor.ts'
import { runThrough } from './runThrough.ts'

let stack: SdkStack
beforeAll(async () => {
  stack = await startSdkStack()
})
afterAll(() => stack?.[Symbol.asyncDispose]())

it.each(behaviours)(
  '$name pays once, and the conversion returns the receipt without another request',
  async (behaviour) => {
    const actor = await createActor(stack, behaviour)
    const { code, resumes } = await runThrough(stack, actor)
    expect({ code, resumes }).toEqual({ code: 'success', resumes: 0 })
    // A signature that an account with code cannot use, an approval and the conversion.
    expect(actor.prompts.length).toBeLessThanOrEqual(3)
  },
)
