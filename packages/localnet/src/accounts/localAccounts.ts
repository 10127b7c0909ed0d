import { toHex, type Hex } from 'viem'
import { mnemonicToAccount, privateKeyToAddress } from 'viem/accounts'
import { localMnemonic } from './localMnemonic.ts'

const parent = mnemonicToAccount(localMnemonic, { path: "m/44'/60'/0'/0" }).getHdKey()

/**
 * The first ten of the twenty accounts that every local chain gives 10,000 native to. The whole world knows their keys.
 *
 * The very first signs for the stack; the others hold no tokens until they ask the faucet.
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

export type LocalAccount = { readonly address: Hex; readonly privateKey: Hex }

function derive(index: number): LocalAccount {
  const { privateKey } = parent.deriveChild(index)
  if (!privateKey) throw new Error(`Cannot derive account ${index}: its parent has no private key`)
  return { address: privateKeyToAddress(toHex(privateKey)), privateKey: toHex(privateKey) }
}
