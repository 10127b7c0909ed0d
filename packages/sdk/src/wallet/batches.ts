import { toWalletError, hasWalletCode } from './toWalletError.ts'
import type { WalletLink } from './createWalletLink.ts'
import { invalidResponse, parseHex, parseObject, toQuantity } from './rpcValues.ts'
import type { Address } from './Wallet.ts'
import type { CallBatch, CallsState } from './WalletSession.ts'

const capabilitiesTimeoutMs = 2000

/**
 * Returns whether a wallet supports atomic calls on a network (EIP-5792). False for any error, and without a response
 * within two seconds.
 */
export async function canBatch(link: WalletLink, account: Address, chainId: number): Promise<boolean> {
  const asked = link.read('wallet_getCapabilities', [account, [toQuantity(chainId)]]).catch(ignoreFailure)
  const capabilities = await Promise.race([asked, link.pause(capabilitiesTimeoutMs)])
  return isAtomic(capabilities, chainId)
}

/** Sends calls as one atomic batch and returns its id. */
export async function sendCalls(link: WalletLink, from: Address, { id, chainId, calls }: CallBatch): Promise<string> {
  const method = 'wallet_sendCalls'
  const batch = {
    version: '2.0.0',
    id,
    from,
    chainId: toQuantity(chainId),
    atomicRequired: true,
    // Other fields, such as capabilities, were not checked and are left out.
    calls: calls.map(({ to, data, value }) => ({ to, data, value })),
  }
  try {
    const sent = await link.ask({ method, params: [batch], chainId })
    const chosen = typeof sent === 'object' && sent !== null ? (sent as { id?: unknown }).id : sent
    return typeof chosen === 'string' && chosen !== '' ? chosen : id
  } catch (error) {
    if (hasWalletCode(error, duplicateId)) return id
    throw error
  }
}

/** Returns the state of a batch, or undefined if the wallet does not know its id. */
export async function findCalls(link: WalletLink, id: string): Promise<CallsState | undefined> {
  const method = 'wallet_getCallsStatus'
  try {
    const found = await link.read(method, [id])
    return found === null || found === undefined ? undefined : parseCallsState(found, method)
  } catch (error) {
    if (hasWalletCode(error, unknownId)) return undefined
    throw error
  }
}

// Error codes of EIP-5792.
const duplicateId = 5720
const unknownId = 5730

function ignoreFailure(error: unknown): undefined {
  const { code } = toWalletError(error, { method: 'wallet_getCapabilities' })
  if (code === 'convert/aborted') throw error
  return undefined
}

/** Returns whether capabilities allow atomic calls. They are keyed by chain id in hex. The key `0x0` holds for all networks. */
function isAtomic(capabilities: unknown, chainId: number): boolean {
  if (typeof capabilities !== 'object' || capabilities === null) return false
  return Object.entries(capabilities).some(([key, value]: [string, unknown]) => {
    const status = (value as { atomic?: { status?: unknown } } | null)?.atomic?.status
    return [chainId, 0].includes(Number(key)) && (status === 'supported' || status === 'ready')
  })
}

/**
 * Parses a status: 100 to 199 is pending, 200 to 299 confirmed, higher failed. Wallets before version 2 return words.
 */
function parseCallsState(found: unknown, method: string): CallsState {
  const { status, receipts } = parseObject(found, method)
  const receipt: unknown = Array.isArray(receipts) ? receipts.at(-1) : undefined
  const { transactionHash, status: outcome } = (receipt ?? {}) as Readonly<Record<string, unknown>>
  const state = toState(status)
  if (state === undefined) throw invalidResponse(status, method)
  return {
    status: state === 'confirmed' && isReverted(outcome) ? 'failed' : state,
    ...(transactionHash !== undefined && { transactionHash: parseHex(transactionHash, method, 32) }),
  }
}

function toState(status: unknown): CallsState['status'] | undefined {
  if (status === 'PENDING') return 'pending'
  if (status === 'CONFIRMED') return 'confirmed'
  if (typeof status !== 'number' || !(status >= 100)) return undefined
  if (status < 200) return 'pending'
  return status < 300 ? 'confirmed' : 'failed'
}

function isReverted(outcome: unknown): boolean {
  return outcome === '0x0' || outcome === 'reverted'
}
