// Is run in every page before its own scripts: a wallet, whose requests go to the test.
import { announceWallet } from '@agio/sdk/testing'

type Outcome = { result?: unknown; error?: { code: number; message: string; data?: unknown } }

declare global {
  interface Window {
    requestWallet(args: object): Promise<Outcome>
  }
}

announceWallet({
  async request(args: object) {
    const { result, error } = await window.requestWallet(args)
    if (error) throw Object.assign(new Error(error.message), error)
    return result
  },
  on() {},
  removeListener() {},
})
