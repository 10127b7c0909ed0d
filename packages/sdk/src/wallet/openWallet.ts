import type { TypedData, WalletTransaction } from '../api/schemas.ts'
import { canBatch, findCalls, sendCalls } from './batches.ts'
import { openAccount, findLocalSigner, type LocalSigner } from './openAccount.ts'
import { createWalletLink, type WalletLink } from './createWalletLink.ts'
import { estimateGas, readFeeMarket } from './gas.ts'
import {
  findHash,
  parseBlock,
  parseFoundTransaction,
  parseHead,
  parseHex,
  parseQuantity,
  parseReceipt,
  parseTransfers,
  toQuantity,
} from './rpcValues.ts'
import { hasWalletCode, ignoreWalletFailure, wrongChain } from './toWalletError.ts'
import type { Address, Hex, Wallet } from './Wallet.ts'
import type { NodeCall, WalletSession } from './WalletSession.ts'
import { clientError, type AgioError } from '../errors/AgioError.ts'
import type { Nodes } from './connectNodes.ts'
import { toTopic, transferTopic } from './transfers.ts'

/**
 * Opens a wallet for one conversion, with its current account. If the page may not see the accounts yet, the wallet
 * prompts for them.
 *
 * @throws `wallet/rejected`, `wallet/failed`, `convert/aborted`; `TypeError` for a value that is not a wallet
 */
export async function openWallet(wallet: Wallet, { signal, chainId, nodes }: Options = {}): Promise<WalletSession> {
  const link = createWalletLink(assertWallet(wallet), signal)
  const node = chainId === undefined ? undefined : nodes?.get(chainId)
  const reads = node ? createWalletLink(node, signal) : link
  if (node) await assertNodeChain(reads, chainId)
  const signer = findLocalSigner(wallet)
  const { account, assertUnchanged } = await openAccount(wallet, link)
  const readChainId = async () => parseQuantity(await link.read('eth_chainId'), 'eth_chainId')
  return {
    account,
    readsFrom: node ? 'node' : 'wallet',
    reader: node ?? wallet,
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
    estimateGas: (transaction) => estimateGas(reads, transaction),
    readFeeMarket: () => readFeeMarket(signer ? link : reads),
    sendTransaction: async (transaction, nonce) =>
      await sendTransaction({ link, signer, wallet }, { ...pickFields(transaction), nonce }),
    sendCalls: (batch) => sendCalls(link, account, batch),
    findCalls: (id) => findCalls(link, id),
    countTransactions: (block) => countTransactions(reads, account, block),
    async readBlock(block) {
      const method = 'eth_getBlockByNumber'
      return parseBlock(await reads.read(method, [toQuantity(block), true]), method)
    },
    async readHead(block = 'latest') {
      const method = 'eth_getBlockByNumber'
      return parseHead(await reads.read(method, [toBlockTag(block), false]), method)
    },
    call: (call) => callContract(reads, call),
    async hasCode(address = account) {
      const method = 'eth_getCode'
      return parseHex(await reads.read(method, [address, 'latest']), method) !== '0x'
    },
    listTransfers: (token, range) => listTransfers(reads, { account, token, range }),
    async hasLogs(address, block) {
      const method = 'eth_getLogs'
      const range = { fromBlock: toQuantity(block), toBlock: toQuantity(block) }
      return parseTransfers(await reads.read(method, [{ address, ...range }]), method).length > 0
    },
    async findTransaction(hash) {
      const method = 'eth_getTransactionByHash'
      const found = await reads.read(method, [hash])
      return found === null || found === undefined ? undefined : parseFoundTransaction(found, method)
    },
    async findReceipt(hash) {
      const method = 'eth_getTransactionReceipt'
      const found = await reads.read(method, [hash])
      return found === null || found === undefined ? undefined : parseReceipt(found, method)
    },
  }
}

type Options = {
  /** Ends the waits of the session for the wallet. */
  readonly signal?: AbortSignal | undefined
  /** The chain to read. */
  readonly chainId?: number | undefined
  /** The nodes to read from. Default: the node of the wallet. */
  readonly nodes?: Nodes | undefined
}

/** Counts the transactions of an account. A node may have no pending block, or count only the transactions in it. */
async function countTransactions(link: WalletLink, account: Address, block: number | 'latest' | 'pending') {
  if (block !== 'pending') return await readCount(link, account, block)
  const readPending = () => ignoreWalletFailure(() => readCount(link, account, block))
  // One failure does not say that the node has no pending block.
  const pending = (await readPending()) ?? (await readPending())
  return Math.max(pending ?? 0, await readCount(link, account, 'latest'))
}

async function readCount(link: WalletLink, account: Address, block: number | 'latest' | 'pending'): Promise<number> {
  const method = 'eth_getTransactionCount'
  return parseQuantity(await link.read(method, [account, toBlockTag(block)]), method)
}

/** Returns the latest count if the node has no pending count, or a lower one. viem reads only the pending count. */
async function findMissedNonce(link: WalletLink, account: Address): Promise<number | undefined> {
  const pending = (await ignoreWalletFailure(() => readCount(link, account, 'pending'))) ?? -1
  const latest = (await ignoreWalletFailure(() => readCount(link, account, 'latest'))) ?? -1
  return pending < latest ? latest : undefined
}

type TransferQuery = {
  readonly account: Address
  readonly token: Address
  readonly range: Parameters<WalletSession['listTransfers']>[1]
}

async function listTransfers(link: WalletLink, { account, token, range }: TransferQuery) {
  const method = 'eth_getLogs'
  const topics = [transferTopic, toTopic(account)]
  const blocks =
    'hash' in range ? { blockHash: range.hash } : { fromBlock: toQuantity(range.from), toBlock: toQuantity(range.to) }
  return parseTransfers(await link.read(method, [{ address: token, topics, ...blocks }]), method)
}

async function assertNodeChain(reads: WalletLink, chainId: number | undefined): Promise<void> {
  const method = 'eth_chainId'
  const actual = parseQuantity(await reads.read(method, []), method)
  if (actual === chainId) return
  throw clientError('wallet/cannot-read', `Cannot read chain ${chainId}: its node of \`nodes\` has chain ${actual}`, {
    method,
  })
}

function toBlockTag(block: number | string): string {
  return typeof block === 'number' ? toQuantity(block) : block
}

// Unknown method (JSON-RPC), not authorized and not supported (EIP-1193).
const unreadable = [-32601, 4100, 4200]

async function callContract(link: WalletLink, call: NodeCall): Promise<Hex> {
  const method = 'eth_call'
  try {
    return parseHex(await link.read(method, [call, 'latest']), method)
  } catch (cause) {
    if (!unreadable.some((code) => hasWalletCode(cause, code))) throw cause
    const message = `Cannot read contract ${call.to}: the wallet does not pass ${method} to its node. Pass nodes to createAgio`
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

async function sendTransaction(
  { link, signer, wallet }: Signing & { readonly wallet: Wallet },
  { nonce, ...fields }: Sending,
): Promise<Hex | undefined> {
  const method = 'eth_sendTransaction'
  const transaction = { ...fields, ...(nonce !== undefined && { nonce: toQuantity(nonce) }) }
  const { maxFeePerGas: _, maxPriorityFeePerGas: __, ...withoutFees } = transaction
  const request = { method, chainId: Number(transaction.chainId) }
  // A client with a local key does not prompt. It is awaited even if the signal is aborted, so that the hash is known.
  const hash = signer
    ? await link.run(request, async () => {
        const missed = nonce ?? (await findMissedNonce(createWalletLink(wallet, undefined), fields.from))
        return await signer.sendTransaction({ ...fields, ...(missed !== undefined && { nonce: toQuantity(missed) }) })
      })
    : await link.ask({ ...request, params: [nonce === undefined ? withoutFees : transaction] })
  return findHash(hash)
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
