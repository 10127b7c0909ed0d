import { vi } from 'vitest'
import type { Eip1193Provider } from '../../packages/sdk/src/index.ts'

/** Puts `Date.now` ahead by the time that a test passes, until it is disposed. Timers keep their durations. */
export function moveClock(): MovedClock {
  const readNow = Date.now
  let aheadMs = 0
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => readNow() + aheadMs)
  return { pass: (ms) => void (aheadMs += ms), [Symbol.dispose]: () => clock.mockRestore() }
}

export type MovedClock = Disposable & { readonly pass: (ms: number) => void }

/** Lets half a minute pass before each request to a wallet, so that the SDK looks often in any time that it waits. */
export function slowDown(wallet: Eip1193Provider, clock: MovedClock): void {
  const request = wallet.request.bind(wallet)
  vi.spyOn(wallet, 'request').mockImplementation(async (args) => {
    clock.pass(30_000)
    return await request(args)
  })
}
