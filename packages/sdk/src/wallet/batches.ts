import { toWalletError, hasWalletCode } from './toWalletError.ts'
import type { WalletLink } from './createWalletLink.ts'
import { findHash, toQuantity } from './rpcValues.ts'
import { parseUrl } from '../client/requestService.ts'
import { isObject } from '../errors/isObject.ts'
import type { Address, WalletCapabilities } from './Wallet.ts'
import type { CallBatch, CallsState } from './WalletSession.ts'

const timeoutMs = 2000

/**
 * Returns whether a wallet supports atomic calls on a network (EIP-5792). False for any error, and without a response
 * within two seconds.
 */
export async function canBatch(link: WalletLink, account: Address, chainId: number): Promise<boolean> {
  const found = await listCapabilities(link, account, chainId)
  return found.some(({ atomic }) => isObject(atomic) && ['supported', 'ready'].includes(atomic['status'] as string))
}

/** Lists the capabilities on a network. They are keyed by chain id in hex. The key `0x0` holds for all networks. */
async function listCapabilities(link: WalletLink, account: Address, chainId: number) {
  const asked = link.read('wallet_getCapabilities', [account, [toQuantity(chainId)]]).catch(ignoreFailure)
  const capabilities = await Promise.race([asked, link.pause(timeoutMs)])
  return Object.entries(isObject(capabilities) ? capabilities : {}).flatMap(([key, value]) =>
    [chainId, 0].includes(Number(key)) && isObject(value) ? [value] : [],
  )
}

/** Returns options whose paymaster has a `https:` URL. @throws TypeError, without the URL, which may contain a key */
export function assertCapabilities<Options extends { readonly capabilities?: WalletCapabilities | undefined }>(
  options: Options,
): Options {
  const url: unknown = options.capabilities?.paymasterService?.url
  if (!options.capabilities?.paymasterService || (typeof url === 'string' && parseUrl(url)?.protocol === 'https:'))
    return options
  throw new TypeError('Cannot use capabilities.paymasterService: its url is not an https: URL')
}

/** Sends calls as one atomic batch and returns its id. */
export async function sendCalls(link: WalletLink, from: Address, request: CallBatch): Promise<string> {
  const { id, chainId, calls, capabilities: { paymasterService } = {} } = request
  const method = 'wallet_sendCalls'
  const reported = paymasterService ? await listCapabilities(link, from, chainId) : []
  const isPaid = reported.some(
    (found) => isObject(found['paymasterService']) && found['paymasterService']['supported'] === true,
  )
  const batch = {
    version: '2.0.0',
    id,
    from,
    chainId: toQuantity(chainId),
    atomicRequired: true,
    // Other fields were not checked and are left out.
    calls: calls.map(({ to, data, value }) => ({ to, data, value })),
    ...(isPaid && { capabilities: { paymasterService: { ...paymasterService, optional: true } } }),
  }
  try {
    const sent = await link.ask({ method, params: [batch], chainId })
    const chosen = isObject(sent) ? sent['id'] : sent
    return typeof chosen === 'string' && chosen !== '' ? chosen : id
  } catch (error) {
    if (hasWalletCode(error, duplicateId)) return id
    throw error
  }
}

/** Returns the state of a batch, or undefined if the wallet does not know its id or does not respond within two seconds. */
export async function findCalls(link: WalletLink, id: string): Promise<CallsState | undefined> {
  const method = 'wallet_getCallsStatus'
  try {
    const found = await Promise.race([link.read(method, [id]), link.pause(timeoutMs)])
    return found === null || found === undefined ? undefined : parseCallsState(found)
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

/** Parses a status: 400 and higher is failed (EIP-5792). The receipts may be in any form. */
function parseCallsState(found: unknown): CallsState {
  const { status, receipts } = isObject(found) ? found : {}
  const receipt: unknown = Array.isArray(receipts) ? receipts.at(-1) : undefined
  const transactionHash = findHash(isObject(receipt) ? receipt['transactionHash'] : undefined)
  return { isFailed: typeof status === 'number' && status >= 400, ...(transactionHash && { transactionHash }) }
}
