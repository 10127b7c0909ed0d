import type { TypedData, WalletTransaction } from '../api/schemas.ts'
import { canBatch, findCalls, sendCalls } from './batches.ts'
import { openAccount, findLocalSigner, type LocalSigner } from './openAccount.ts'
import { createWalletLink, type WalletLink } from './createWalletLink.ts'
import { estimateGas, readFeeMarket } from './gas.ts'
import {
  parseBlock,
  parseFoundTransaction,
  parseHead,
  parseHex,
  parseLogHashes,
  parseQuantity,
  toQuantity,
} from './rpcValues.ts'
import { hasWalletCode, wrongChain } from './toWalletError.ts'
import type { Address, Hex, Wallet } from './Wallet.ts'
import type { WalletSession } from './WalletSession.ts'
import { clientError, type AgioError } from '../errors/AgioError.ts'

/**
 * Opens a wallet for one conversion, with its current account. If the page may not see the accounts yet, the wallet
 * prompts for them.
 *
 * @throws `wallet/rejected`, `wallet/failed`, `convert/aborted`; `TypeError` for a value that is not a wallet
 */
export async function openWallet(wallet: Wallet, { signal }: openWallet.Options = {}): Promise<WalletSession> {
  const link = createWalletLink(assertWallet(wallet), signal)
  const signer = findLocalSigner(wallet)
  const { account, assertUnchanged } = await openAccount(wallet, link)
  const readChainId = async () => parseQuantity(await link.read('eth_chainId'), 'eth_chainId')
  return {
    account,
    readChainId,
    async assertUnchanged(chainId) {
      await assertUnchanged()
      const actual = await readChainId()
      if (actual !== chainId) throw wrongChain({ expected: chainId, actual })
    },
    switchChain: (chainId) => switchChain({ ...link, readChainId }, chainId),
    canBatch: async (chainId) => signer === undefined && (await canBatch(link, account, chainId)),
    signTypedData: async (typedData) => await signTypedData({ link, signer, account }, typedData),
    choosesFees: signer === undefined,
    estimateGas: (transaction) => estimateGas(link, transaction),
    readFeeMarket: () => readFeeMarket(link),
    sendTransaction: async (transaction, nonce) =>
      await sendTransaction({ link, signer }, { ...pickFields(transaction), nonce }),
    sendCalls: (batch) => sendCalls(link, account, batch),
    findCalls: (id) => findCalls(link, id),
    async countTransactions(block) {
      const method = 'eth_getTransactionCount'
      return parseQuantity(await link.read(method, [account, toBlockTag(block)]), method)
    },
    async readBlock(block) {
      const method = 'eth_getBlockByNumber'
      return parseBlock(await link.read(method, [toQuantity(block), true]), method)
    },
    async readHead() {
      const method = 'eth_getBlockByNumber'
      return parseHead(await link.read(method, ['latest', false]), method)
    },
    readDecimals: (token) => readDecimals(link, token),
    hasCode: async () => parseHex(await link.read('eth_getCode', [account, 'latest']), 'eth_getCode') !== '0x',
    async listTransfers(token, fromBlock) {
      const method = 'eth_getLogs'
      const topics = [transferTopic, toTopic(account)]
      return parseLogHashes(
        await link.read(method, [{ address: token, topics, fromBlock: toQuantity(fromBlock) }]),
        method,
      )
    },
    async findTransaction(hash) {
      const method = 'eth_getTransactionByHash'
      const found = await link.read(method, [hash])
      return found === null || found === undefined ? undefined : parseFoundTransaction(found, method)
    },
  }
}

export declare namespace openWallet {
  type Options = {
    /** Ends the waits of the session for the wallet. */
    readonly signal?: AbortSignal | undefined
  }
}

// `Transfer(address,address,uint256)` of ERC-20.
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

function toTopic(address: Address): Hex {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
}

function toBlockTag(block: number | string): string {
  return typeof block === 'number' ? toQuantity(block) : block
}

// `decimals()` of ERC-20.
const decimalsSelector = '0x313ce567'

// Unknown method (JSON-RPC), not authorized and not supported (EIP-1193).
const unreadable = [-32601, 4100, 4200]

async function readDecimals(link: WalletLink, to: Address): Promise<number | undefined> {
  const method = 'eth_call'
  try {
    const word = parseHex(await link.read(method, [{ to, data: decimalsSelector }, 'latest']), method)
    // An account without code returns nothing.
    return word === '0x' ? undefined : parseQuantity(word, method)
  } catch (cause) {
    if (!unreadable.some((code) => hasWalletCode(cause, code))) throw cause
    const message = `Cannot read the token ${to}: the wallet does not pass ${method} to its node`
    throw clientError('wallet/cannot-read', message, { method, cause })
  }
}

type Signing = { readonly link: WalletLink; readonly signer: LocalSigner | undefined }

async function signTypedData({ link, signer, account }: Signing & { account: Address }, given: TypedData) {
  const method = 'eth_signTypedData_v4'
  const { domain, types, primaryType, message } = given
  const typedData = { domain, types, primaryType, message }
  const signature = signer
    ? await link.run({ method }, async () => await signer.signTypedData(typedData))
    : await link.ask({ method, params: [account, JSON.stringify(typedData)] })
  return withRecoveryId(parseHex(signature, method))
}

async function sendTransaction({ link, signer }: Signing, { nonce, ...fields }: Sending): Promise<Hex> {
  const method = 'eth_sendTransaction'
  const transaction = { ...fields, ...(nonce !== undefined && { nonce: toQuantity(nonce) }) }
  const { maxFeePerGas: _, maxPriorityFeePerGas: __, ...withoutFees } = transaction
  const request = { method, chainId: Number(transaction.chainId) }
  // A client with a local key does not prompt. It is awaited even if the signal is aborted, so that the hash is known.
  const hash = signer
    ? await link.run(request, async () => await signer.sendTransaction(transaction))
    : await link.ask({ ...request, params: [nonce === undefined ? withoutFees : transaction] })
  return parseHex(hash, method, 32)
}

type Sending = WalletTransaction & { readonly nonce: number | undefined }

/** Returns only the checked fields. The wallet would sign any other field, such as an EIP-7702 authorization, too. */
function pickFields(given: WalletTransaction): WalletTransaction {
  const { from, to, data, value, gas, maxFeePerGas, maxPriorityFeePerGas, chainId, type } = given
  return { from, to, data, value, gas, maxFeePerGas, maxPriorityFeePerGas, chainId, type }
}

// The length of r, s and v in hex, including the prefix.
const signatureLength = 132

/** Replaces a parity with v. Some hardware wallets return the parity, which contracts do not accept. */
function withRecoveryId(signature: Hex): Hex {
  if (signature.length !== signatureLength || !/0[01]$/.test(signature)) return signature
  return `${signature.slice(0, -2) as Hex}${signature.endsWith('0') ? '1b' : '1c'}`
}

function assertWallet(wallet: Wallet): Wallet {
  const request: unknown = (wallet as Partial<Wallet> | null | undefined)?.request
  if (typeof request === 'function') return wallet
  throw new TypeError('Cannot use the wallet: it has no `request`. Pass a viem WalletClient or an EIP-1193 provider')
}

// Some wallets respond before they have switched.
const settleMs = 2000
const pollMs = 100

/** Connects a wallet to a network. @throws `wallet/rejected`, `wallet/wrong-chain` */
async function switchChain(wallet: SwitchableWallet, chainId: number): Promise<void> {
  const { ask, readChainId, pause } = wallet
  const cause = await ask({ method: 'wallet_switchEthereumChain', params: [{ chainId: toQuantity(chainId) }] }).then(
    () => undefined,
    keepWalletFailure,
  )
  const polls = cause === undefined ? settleMs / pollMs : 0
  let actual = await readChainId()
  for (let poll = 0; actual !== chainId && poll < polls; poll++) {
    await pause(pollMs)
    actual = await readChainId()
  }
  if (actual !== chainId) throw wrongChain({ expected: chainId, actual, cause })
}

type SwitchableWallet = Pick<WalletLink, 'ask' | 'pause'> & { readChainId(): Promise<number> }

/**
 * Returns a `wallet/failed` error instead of throwing it, because the wallet may have switched anyway.
 *
 * @throws any other error
 */
function keepWalletFailure(error: AgioError): AgioError {
  if (error.code !== 'wallet/failed') throw error
  return error
}
