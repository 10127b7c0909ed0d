import { Network } from '@agio/localnet/stacks'
import type { ChainId, Wallet } from '@agio/sdk'
import { testAccounts } from '@agio/sdk/testing'
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { createWalletClient, defineChain, http, isHex, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { CommandError } from '../errors/CommandError.ts'
import type { Connection } from '../service/connect.ts'

/** The options that choose who signs. */
export type SignerOptions = {
  /** The index of an account of the local stack. */
  readonly account?: string | undefined
  /** A file with a private key. */
  readonly privateKeyFile?: string | undefined
}

/**
 * Opens the wallet that signs: an account of the local stack, or a private key from a file. It sends through the node of the local
 * stack, or through the node of `RPC_URL_<chain>`.
 *
 * @throws `CommandError` for missing or invalid options, which never quotes a key
 */
export async function openSigner(
  connection: Connection,
  { account, privateKeyFile, chainId }: SignerOptions & { readonly chainId: ChainId },
): Promise<{ readonly wallet: Wallet; readonly address: Hex }> {
  if ((account === undefined) === (privateKeyFile === undefined)) {
    throw new CommandError('input', 'Pass either --account <n> of the local stack, or --private-key-file <file>')
  }
  const signer = account === undefined ? await readKey(privateKeyFile ?? '') : getLocalAccount(connection, account)
  const url = getNodeUrl(connection, chainId)
  const { name, nativeCurrency } = Network.get(chainId)
  const chain = defineChain({ id: chainId, name, nativeCurrency, rpcUrls: { default: { http: [url] } } })
  return { wallet: createWalletClient({ account: signer, chain, transport: http(url) }), address: signer.address }
}

/**
 * Returns the URL of the node of a chain: of the local stack, or the first one of `RPC_URL_<chain>`.
 *
 * @throws `CommandError` if there is neither
 */
export function getNodeUrl({ stack }: Connection, chainId: ChainId): string {
  const variable = `RPC_URL_${chainId}`
  const url = stack ? stack.rpcUrls[chainId] : process.env[variable]?.split(',')[0]?.trim()
  if (url) return url
  throw new CommandError('input', `Set ${variable} to the URL of a node of chain ${chainId}`)
}

function getLocalAccount({ stack }: Connection, text: string) {
  if (!stack) throw new CommandError('input', '--account signs on a local stack only. Pass --private-key-file')
  const account = /^\d{1,2}$/.test(text) ? testAccounts[Number(text)] : undefined
  if (account) return privateKeyToAccount(account.privateKey)
  throw new CommandError('input', `Invalid --account: it is a number from 0 to ${testAccounts.length - 1}`)
}

async function readKey(path: string) {
  const content = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new CommandError('input', `Cannot read the file of --private-key-file: ${(cause as { code?: string }).code}`)
  })
  const key = content.trim()
  // An error of viem would contain the key.
  if (isHex(key) && key.length === 66) return privateKeyToAccount(key)
  throw new CommandError('input', 'The file of --private-key-file has no private key: 0x and 64 hexadecimal digits')
}
