/** A `0x`-prefixed hex text, as in viem. */
export type Hex = `0x${string}`

/** An address in any letter case. */
export type Address = `0x${string}`

/**
 * An EIP-1193 provider: the provider that a browser wallet injects, the result of wagmi's `connector.getProvider()`, or
 * viem's `EIP1193Provider`.
 */
export type Eip1193Provider = {
  // A method, so that providers with narrower argument types are accepted, too.
  request(args: { method: string; params?: unknown }): Promise<unknown>
}

/**
 * A viem `WalletClient`. With a local account the client signs by itself, with `signTypedData` and `sendTransaction`.
 * Otherwise `request` passes each request to its wallet.
 */
export type ViemWalletClient = Eip1193Provider & {
  readonly account?: { readonly address: Address; readonly type: string } | undefined
  // `never`, because viem's parameters are generic. Only `openWallet` passes them.
  sendTransaction?(args: never): Promise<Hex>
  signTypedData?(args: never): Promise<Hex>
}

/**
 * A wallet that signs and sends: a viem `WalletClient` or any EIP-1193 provider.
 *
 * @example
 * await agio.convert({ quote, wallet: createWalletClient({ account, chain, transport: http() }) })
 * @example
 * await agio.convert({ quote, wallet: window.ethereum })
 */
export type Wallet = Eip1193Provider | ViemWalletClient

/** Capabilities of `wallet_sendCalls` (EIP-5792) that an application may request. */
export type WalletCapabilities = {
  /** A service that pays the gas (ERC-7677). Its URL must be `https:`. */
  readonly paymasterService?:
    | { readonly url: string; readonly context?: Readonly<Record<string, unknown>> | undefined }
    | undefined
}
