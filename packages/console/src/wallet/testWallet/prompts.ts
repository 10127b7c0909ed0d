import type { Decision, Prompt } from '@agio/sdk/testing'
import { createStore } from 'zustand'
import { defineStore, type Environment } from '../../settings/console.ts'

/** A prompt that the test wallet shows. */
export type OpenPrompt = {
  readonly id: string
  readonly prompt: Prompt
  /** Whether the page was reloaded after the request. */
  readonly isRepeated: boolean
  answer(decision: Decision): void
}

/** The store of unanswered prompts, oldest first. One prompt is shown at a time. */
export const usePrompts = defineStore(() =>
  createStore<{ readonly prompts: readonly OpenPrompt[] }>(() => ({ prompts: [] })),
)

/** Shows a prompt until the user has answered it. */
export async function showPrompt(
  environment: Environment,
  { prompt, isRepeated }: Pick<OpenPrompt, 'prompt' | 'isRepeated'>,
): Promise<Decision> {
  const { setState } = usePrompts.of(environment)
  const { promise, resolve } = Promise.withResolvers<Decision>()
  const openPrompt: OpenPrompt = { id: crypto.randomUUID(), prompt, isRepeated, answer: resolve }
  setState(({ prompts }) => ({ prompts: [...prompts, openPrompt] }))
  try {
    return await promise
  } finally {
    setState(({ prompts }) => ({ prompts: prompts.filter(({ id }) => id !== openPrompt.id) }))
  }
}
