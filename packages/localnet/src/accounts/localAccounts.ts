import { toHex, type Hex } from 'viem'
import { mnemonicToAccount, privateKeyToAddress } from 'viem/accounts'

// The phrase from which Hardhat and other development nodes derive their accounts.
const localMnemonic = 'test test test test test test test test test test test junk'

const parent = mnemonicToAccount(localMnemonic, { path: "m/44'/60'/0'/0" }).getHdKey()

/**
 * The first ten of the twenty accounts that hold 10,000 native tokens on every local chain. Their private keys are
 * public.
 *
 * The first account owns the contracts. The other accounts hold no tokens until they claim from the faucet.
 *
 * @example
 * const account = privateKeyToAccount(localAccounts[1].privateKey)
 */
export const localAccounts = [
  derive(0),
  derive(1),
  derive(2),
  derive(3),
  derive(4),
  derive(5),
  derive(6),
  derive(7),
  derive(8),
  derive(9),
] as const

/** The last account, which owns the feeds of the network. They do not belong to the owner of the other contracts. */
export const feedOwner = derive(19)

/** A test account, whose private key is public. */
export type LocalAccount = { readonly address: Hex; readonly privateKey: Hex }

/** Returns the local account with an index. @throws `Error` if no account has this index */
export function getLocalAccount(index: number): LocalAccount {
  const account = localAccounts[index]
  if (account) return account
  throw new Error(`Cannot sign: --account must be 0 to ${localAccounts.length - 1}`)
}

function derive(index: number): LocalAccount {
  const { privateKey } = parent.deriveChild(index)
  if (!privateKey) throw new Error(`Cannot derive account ${index}: its parent has no private key`)
  return { address: privateKeyToAddress(toHex(privateKey)), privateKey: toHex(privateKey) }
}
