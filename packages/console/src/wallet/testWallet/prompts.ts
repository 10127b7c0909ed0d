import type { Decision, Prompt } from '@agio/sdk/testing'
import { create } from 'zustand'

/** A prompt that the test wallet shows. */
export type OpenPrompt = {
  readonly id: string
  readonly prompt: Prompt
  /** Whether the page was reloaded after the request. */
  readonly isRepeated: boolean
  answer(decision: Decision): void
}

/** The store of unanswered prompts, oldest first. One prompt is shown at a time. */
export const usePrompts = create<{ readonly prompts: readonly OpenPrompt[] }>(() => ({ prompts: [] }))

/** Shows a prompt until the user has answered it. */
export async function showPrompt(prompt: Prompt, { isRepeated }: Pick<OpenPrompt, 'isRepeated'>): Promise<Decision> {
  const { promise, resolve } = Promise.withResolvers<Decision>()
  const openPrompt: OpenPrompt = { id: crypto.randomUUID(), prompt, isRepeated, answer: resolve }
  usePrompts.setState(({ prompts }) => ({ prompts: [...prompts, openPrompt] }))
  try {
    return await promise
  } finally {
    usePrompts.setState(({ prompts }) => ({ prompts: prompts.filter(({ id }) => id !== openPrompt.id) }))
  }
}
