import { create } from 'zustand'
import { sessionStore } from '../../storage/browserStorage.ts'

const name = 'agio.test-wallet.answer'

/** How the test wallet answers the requests of the page: it asks its user, or does always the same. */
export const useAnswer = create<{ readonly answer: Answer; setAnswer(answer: Answer): void }>((set) => ({
  answer: parseAnswer(sessionStore.getItem(name)),
  setAnswer(answer) {
    sessionStore.setItem(name, answer)
    set({ answer })
  },
}))

export type Answer = 'ask' | 'confirm' | 'reject'

/** Returns an answer that was stored, or `ask` for any other text. */
export function parseAnswer(text: string | null): Answer {
  return text === 'confirm' || text === 'reject' ? text : 'ask'
}
