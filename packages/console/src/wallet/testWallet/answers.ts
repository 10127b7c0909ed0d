import { createStore } from 'zustand'
import { defineStore } from '../../settings/console.ts'

const name = 'agio.test-wallet.answer'

/** The store of the test wallet's answer: it prompts the user, or always gives the same answer. */
export const useAnswer = defineStore(({ sessionStore }) =>
  createStore<{ readonly answer: Answer; setAnswer(answer: Answer): void }>((set) => ({
    answer: parseAnswer(sessionStore.getItem(name)),
    setAnswer(answer) {
      sessionStore.setItem(name, answer)
      set({ answer })
    },
  })),
)

/** The answer to all prompts, or `ask` to prompt the user. */
export type Answer = 'ask' | 'confirm' | 'reject'

/** Parses a stored answer. Returns `ask` for any other text. */
export function parseAnswer(text: string | null): Answer {
  return text === 'confirm' || text === 'reject' ? text : 'ask'
}
