/**
 * Announces a wallet to the page by EIP-6963, at once and each time that the page requests wallets.
 *
 * @returns a function that stops the announcements
 *
 * @example
 * const stop = announceWallet(createTestWallet({ privateKey, chainId, rpcUrls }), { name: 'Test wallet' })
 */
export function announceWallet(wallet: object, info: announceWallet.Info = {}): () => void {
  // Browser tests copy the source of this function into pages, so it calls no function of a module.
  const page = globalThis as unknown as EventTarget
  const { name = 'Test wallet', rdns = 'example.agio.test-wallet', icon = emptyIcon } = info
  // Pages without TLS have no `crypto.randomUUID`. Version 4, variant 1 (RFC 9562).
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
  const uuid = hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-')
  const detail = Object.freeze({
    info: Object.freeze({ uuid, name, rdns, icon }),
    provider: wallet,
  })
  const announce = () => void page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  page.addEventListener('eip6963:requestProvider', announce)
  announce()
  return () => page.removeEventListener('eip6963:requestProvider', announce)
}

export declare namespace announceWallet {
  type Info = {
    /** The name that a page shows. Default: `Test wallet`. */
    readonly name?: string | undefined
    /** The reverse domain name that identifies the wallet to a page. Default: `example.agio.test-wallet`. */
    readonly rdns?: string | undefined
    /** An image as a data URI. Default: an empty image. */
    readonly icon?: string | undefined
  }
}

const emptyIcon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
