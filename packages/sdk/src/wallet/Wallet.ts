/** A `0x`-prefixed hex text, as in viem. */
export type Hex = `0x${string}`

/** An address. Letters may be of either case. */
export type Address = `0x${string}`

/**
 * A wallet by EIP-1193: what a browser's wallet injects, what wagmi's `connector.getProvider()` returns, or viem's
 * `EIP1193Provider`.
 */
export type Eip1193Provider = {
  // A method, so that providers with a narrower type of their arguments fit as well.
  request(args: { method: string; params?: unknown }): Promise<unknown>
}

/**
 * A viem `WalletClient`. With a local account it signs itself, by `signTypedData` and `sendTransaction`; with any other account,
 * or none, its wallet is asked by `request`.
 */
export type ViemWalletClient = Eip1193Provider & {
  readonly account?: { readonly address: Address; readonly type: string } | undefined
  // `never`: the parameters of viem are generic. They are given by `openWallet` alone.
  sendTransaction?(args: never): Promise<Hex>
  signTypedData?(args: never): Promise<Hex>
}

/**
 * What signs and sends: a viem `WalletClient`, or any EIP-1193 provider.
 *
 * @example
 * await agio.convert({ quote, wallet: createWalletClient({ account, chain, transport: http() }) })
 * @example
 * await agio.convert({ quote, wallet: window.ethereum })
 */
export type Wallet = Eip1193Provider | ViemWalletClient
