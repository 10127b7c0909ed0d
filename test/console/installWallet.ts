import type { BrowserContext } from 'playwright-core'
import { announceWallet, type TestWallet, type WalletEvents } from '../../packages/sdk/src/testing.ts'

const rdns = 'example.agio.browser-wallet'

/** The name of the installed wallet, as the page shows it. */
export const walletName = 'Browser wallet'

/**
 * Installs a wallet in a browser, as an extension does: it announces itself to every page, gets the requests of all tabs, and
 * sends its events to them. The user has chosen it in the console before, and is connected.
 */
export async function installWallet(context: BrowserContext, wallet: TestWallet): Promise<void> {
  await wallet.request({ method: 'eth_requestAccounts' })
  const info = { name: walletName, rdns, icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>' }
  await context.addInitScript(`(${announceInPage.toString()})(${announceWallet.toString()}, ${JSON.stringify(info)})`)
  for (const event of ['accountsChanged', 'chainChanged'] as const) {
    wallet.on(event, (payload) => void emitInPages(context, event, payload))
  }
}

/** Runs in each page before its own scripts, so that it uses nothing of this module. */
function announceInPage(announce: typeof announceWallet, info: announceWallet.Info): void {
  const page = globalThis as unknown as EventTarget & {
    readonly origin: string
    readonly localStorage: { setItem(name: string, value: string): void; getItem(name: string): string | null }
    requestWallet(args: object): Promise<{ result?: unknown; error?: { code: number; message: string } }>
  }
  // The empty page before the first one has no storage.
  if (page.origin === 'null') return
  let listeners: readonly { readonly event: string; readonly listener: (payload: unknown) => void }[] = []
  const wallet = {
    async request(args: object) {
      const { result, error } = await page.requestWallet(args)
      if (error) throw Object.assign(new Error(error.message), error)
      return result
    },
    on(event: string, listener: (payload: unknown) => void) {
      listeners = [...listeners, { event, listener }]
    },
    removeListener(event: string, listener: (payload: unknown) => void) {
      listeners = listeners.filter((other) => other.event !== event || other.listener !== listener)
    },
  }
  page.addEventListener('wallet-event', (emitted) => {
    const { event, payload } = (emitted as CustomEvent<{ event: string; payload: unknown }>).detail
    for (const { listener } of listeners.filter((other) => other.event === event)) listener(payload)
  })
  const name = 'agio.wallet.recentConnectorId'
  if (page.localStorage.getItem(name) === null) page.localStorage.setItem(name, JSON.stringify(info.rdns))
  announce(wallet, info)
}

async function emitInPages<Name extends keyof WalletEvents>(
  context: BrowserContext,
  event: Name,
  payload: WalletEvents[Name],
): Promise<void> {
  const script = `dispatchEvent(new CustomEvent('wallet-event', { detail: ${JSON.stringify({ event, payload })} }))`
  await Promise.all(context.pages().map((page) => page.evaluate(script)))
}
