import { clientError } from '../errors/clientError.ts'
import type { WalletLink } from './createWalletLink.ts'
import { findOwnSigner } from './findOwnSigner.ts'
import { invalidResponse, readAddress } from './rpcValues.ts'
import { hasWalletCode } from './toWalletError.ts'
import type { Address, ViemWalletClient, Wallet } from './Wallet.ts'

/**
 * Returns the account of a wallet: the account of a viem client, or else the first listed account, which is the
 * selected account.
 *
 * @throws `wallet/rejected`, `wallet/failed`
 */
export async function openAccount(wallet: Wallet, link: WalletLink): Promise<OpenAccount> {
  const { account: own } = wallet as ViemWalletClient
  if (own && findOwnSigner(wallet)) return { account: own.address, assertUnchanged: async () => {} }
  const listed = await listAccounts(link)
  const account = own?.address ?? listed[0] ?? (await requestAccount(link))
  // A node lists all of its accounts in a fixed order, so the account of the client may not be the first.
  const isSelected = own === undefined || isSame(account, listed[0])
  return {
    account,
    async assertUnchanged() {
      const now = await listAccounts(link)
      if (isSelected ? isSame(account, now[0]) : now.some((each) => isSame(account, each))) return
      const has = now[0] === undefined ? 'has none' : `has ${now[0]}`
      const message = `Cannot continue with ${account}: the wallet ${has} now`
      throw clientError('wallet/account-changed', message, { expected: account, actual: now[0] })
    },
  }
}

export type OpenAccount = {
  readonly account: Address
  /** @throws `wallet/account-changed` */
  assertUnchanged(): Promise<void>
}

async function listAccounts(link: WalletLink): Promise<readonly Address[]> {
  try {
    return readAccounts(await link.read('eth_accounts'), 'eth_accounts')
  } catch (error) {
    if (hasWalletCode(error, unauthorized)) return []
    throw error
  }
}

// EIP-1193. Some wallets reject the request if the page may not see accounts. Others return an empty list.
const unauthorized = 4100

async function requestAccount(link: WalletLink): Promise<Address> {
  const method = 'eth_requestAccounts'
  const [account] = readAccounts(await link.ask({ method }), method)
  if (account === undefined) throw clientError('wallet/failed', 'Cannot use the wallet: it has no accounts', { method })
  return account
}

function readAccounts(value: unknown, method: string): readonly Address[] {
  if (!Array.isArray(value)) throw invalidResponse(value, method)
  return value.map((each: unknown) => readAddress(each, method))
}

function isSame(account: Address, other: Address | undefined): boolean {
  return account.toLowerCase() === other?.toLowerCase()
}
