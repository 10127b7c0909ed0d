import { clientError } from '../errors/AgioError.ts'
import type { WalletLink } from './createWalletLink.ts'
import { invalidResponse, parseAddress } from './rpcValues.ts'
import { hasWalletCode } from './toWalletError.ts'
import type { Address, ViemWalletClient, Wallet, Hex } from './Wallet.ts'
import type { TypedData, WalletTransaction } from '../api/schemas.ts'

/**
 * Returns the account of a wallet: the account of a viem client, or else the first listed account, which is the
 * selected account.
 *
 * @throws `wallet/rejected`, `wallet/failed`
 */
export async function openAccount(wallet: Wallet, link: WalletLink): Promise<OpenAccount> {
  const { account: clientAccount } = wallet as ViemWalletClient
  if (clientAccount && findLocalSigner(wallet))
    return { account: clientAccount.address, assertUnchanged: async () => {} }
  const listed = await listAccounts(link)
  const account = clientAccount?.address ?? listed[0] ?? (await requestAccount(link))
  // A node lists all of its accounts in a fixed order, so the account of the client may not be the first.
  const isSelected = clientAccount === undefined || isSame(account, listed[0])
  return {
    account,
    async assertUnchanged() {
      const now = await listAccounts(link)
      if (isSelected ? isSame(account, now[0]) : now.some((address) => isSame(account, address))) return
      const has = now[0] === undefined ? 'has none' : `has ${now[0]}`
      const message = `Cannot continue with ${account}: the wallet ${has} now`
      throw clientError('wallet/account-changed', message, { expected: account, actual: now[0] })
    },
  }
}

type OpenAccount = {
  readonly account: Address
  /** @throws `wallet/account-changed` */
  assertUnchanged(): Promise<void>
}

async function listAccounts(link: WalletLink): Promise<readonly Address[]> {
  try {
    return parseAccounts(await link.read('eth_accounts'), 'eth_accounts')
  } catch (error) {
    if (hasWalletCode(error, unauthorized)) return []
    throw error
  }
}

// EIP-1193. Some wallets reject the request if the page may not see accounts. Others return an empty list.
const unauthorized = 4100

async function requestAccount(link: WalletLink): Promise<Address> {
  const method = 'eth_requestAccounts'
  const [account] = parseAccounts(await link.ask({ method }), method)
  if (account === undefined) throw clientError('wallet/failed', 'Cannot use the wallet: it has no accounts', { method })
  return account
}

function parseAccounts(value: unknown, method: string): readonly Address[] {
  if (!Array.isArray(value)) throw invalidResponse(value, method)
  // Some wallets return CAIP-10 text, such as `eip155:84532:0x…`.
  return value.map((account: unknown) =>
    parseAddress(typeof account === 'string' ? account.slice(account.lastIndexOf(':') + 1) : account, method),
  )
}

function isSame(account: Address, expected: Address | undefined): boolean {
  return account.toLowerCase() === expected?.toLowerCase()
}

/**
 * Returns the signer of a viem client with a local account, such as one from a private key. Returns undefined for any
 * other wallet, which signs by `request`.
 *
 * @throws `TypeError` for such a client that is not a `WalletClient`
 */
export function findLocalSigner(wallet: Wallet): LocalSigner | undefined {
  const { account, sendTransaction, signTypedData } = wallet as ViemWalletClient
  if (account === undefined || account.type === 'json-rpc') return undefined
  if (sendTransaction === undefined || signTypedData === undefined) {
    throw new TypeError(
      'Cannot use the client: it has a local account but no wallet functions. Create it with `createWalletClient` of viem',
    )
  }
  return {
    sendTransaction: async (transaction) =>
      await (sendTransaction as Send).call(wallet, { account, chain: null, ...toViemTransaction(transaction) }),
    signTypedData: async (typedData) => await (signTypedData as Send).call(wallet, { account, ...typedData }),
  }
}

/** A signer with its own key. It does not prompt. */
export type LocalSigner = {
  sendTransaction(transaction: SignerTransaction): Promise<Hex>
  signTypedData(typedData: TypedData): Promise<Hex>
}

/** A transaction, with a nonce if it replaces another transaction. */
type SignerTransaction = WalletTransaction & { readonly nonce?: Hex }

type Send = (this: Wallet, args: object) => Promise<Hex>

/** Returns a transaction for viem. The chain id is signed, so that nodes of other networks reject it. */
function toViemTransaction(transaction: SignerTransaction) {
  const { to, data, chainId, value, gas, maxFeePerGas, maxPriorityFeePerGas, nonce } = transaction
  return {
    type: 'eip1559',
    to,
    data,
    chainId: Number(chainId),
    value: BigInt(value),
    gas: BigInt(gas),
    maxFeePerGas: BigInt(maxFeePerGas),
    maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
    ...(nonce !== undefined && { nonce: Number(nonce) }),
  }
}
