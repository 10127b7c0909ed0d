import { AgioError, clientError, type AnyAgioError } from '../errors/AgioError.ts'
import { isObject } from '../errors/isObject.ts'

/**
 * Returns the `AgioError` for an error of a wallet: `wallet/rejected` for a code, a name or a text of a refusal, if the
 * request prompts, `wallet/wrong-chain` if the request names a network, else `wallet/failed` with the code of the wallet.
 * An error of this package is returned unchanged.
 */
export function toWalletError(error: unknown, options: toWalletError.Options): AgioError {
  if (error instanceof AgioError) return error
  try {
    return classify(error, options)
  } catch {
    // A page may not read an error of another window.
    const { method } = options
    return clientError('wallet/failed', `Cannot complete ${method}: the error of the wallet is unreadable`, { method })
  }
}

function classify(error: unknown, { method, chainId }: toWalletError.Options): AgioError {
  const codes = listCodes(error)
  // Locked wallets answer reads with these codes too. A user can refuse only a prompt.
  const isAsked = prompts.test(method)
  const isCoded = isAsked && codes.some((code) => rejected.has(code))
  if (!isCoded && chainId !== undefined && codes.some((code) => disconnected.has(code))) {
    return wrongChain({ expected: chainId, cause: error })
  }
  const isWorded = isAsked && !codes.some((code) => incapable.has(code)) && isWordedRefusal(error)
  if (isCoded || isWorded) {
    return clientError('wallet/rejected', `Cannot complete ${method}: the user rejected it`, { method, cause: error })
  }
  const walletCode = findSpecific(codes)
  const message = `Cannot complete ${method}: ${codes[0] !== undefined && unspecific.has(codes[0]) ? describeInner(error) : describe(error)}`
  return clientError('wallet/failed', message, { method, walletCode, cause: error })
}

export declare namespace toWalletError {
  type Options = {
    readonly method: string
    /** The network that the request is for. */
    readonly chainId?: number | undefined
  }
}

/**
 * Returns whether a wallet said by a standard code that it did nothing: the user rejected the request, or the wallet
 * cannot do it. After any other error, such as a lost connection, it may have sent the transaction, or may send it later.
 */
export function isConclusive(error: AnyAgioError): boolean {
  const codes = listCodes(error.cause)
  // A relay or a node of the wallet may have failed with any code after the transaction was sent.
  if (error.code === 'wallet/rejected') return rejected.has(findSpecific(codes))
  return isIncapable(error) && incapable.has(codes[0])
}

/** Returns whether a wallet said by a standard code that it cannot do what was requested. */
export function isIncapable(error: AnyAgioError): boolean {
  return error.code === 'wallet/failed' && incapable.has(error.details.walletCode)
}

/** Creates the error for a wallet that is not connected to the expected network. */
export function wrongChain(details: {
  readonly expected: number
  readonly actual?: number | undefined
  readonly cause?: unknown
}): AgioError<'wallet/wrong-chain'> {
  const { expected, actual } = details
  const state = actual === undefined ? 'it is not connected' : `it is connected to ${actual}`
  return clientError('wallet/wrong-chain', `Cannot use the wallet on chain ${expected}: ${state}`, details)
}

/** Returns whether an error is `wallet/failed` with a certain wallet code. */
export function hasWalletCode(error: unknown, code: number): boolean {
  const agioError = error as AnyAgioError
  return error instanceof AgioError && agioError.code === 'wallet/failed' && agioError.details.walletCode === code
}

/** Returns what `read` resolves to, or undefined if the wallet or its node fails. @throws every other error */
export async function ignoreWalletFailure<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof AgioError && error.code === 'wallet/failed') return undefined
    throw error
  }
}

// EIP-1193, CAIP-25 (WalletConnect), and a rejected upgrade of the account (EIP-5792).
const rejected: ReadonlySet<unknown> = new Set([4001, 5000, 5750])

// Unknown method and invalid parameters (JSON-RPC), not authorized and not supported (EIP-1193), and batches that the
// wallet does not support for the chain or the account, or cannot make atomic (EIP-5792).
const incapable: ReadonlySet<unknown> = new Set([-32601, -32602, 4100, 4200, 5700, 5710, 5740, 5760])

// Nodes use the words of a refusal for other errors. Some wallets prompt for their accounts.
const prompts = /^(?:eth_(?:accounts|request|send|sign)|wallet_s)/
const refusal = /reject|den(?:y|ied)|cancel|declin|refus|dismiss|(?:user|modal|popup|window).{0,9}(?:clos|abort)/i

/** Returns whether a name, a text or a code in words says that the user refused. Relays use the same words. */
function isWordedRefusal(error: unknown): boolean {
  if (typeof error === 'string') return refusal.test(error.slice(0, maxText))
  return listNested(error).some(({ name, code, message, shortMessage, reason, details, error: text }) =>
    [name, code, message, shortMessage, reason, details, text].some(
      (value) => typeof value === 'string' && refusal.test(value.slice(0, maxText)),
    ),
  )
}

const maxText = 1000

// Disconnected from all networks, disconnected from this network, and network not added (EIP-3085).
const disconnected: ReadonlySet<unknown> = new Set([4900, 4901, 4902])

// Internal error and unknown error, which wallets wrap around other errors.
const unspecific: ReadonlySet<unknown> = new Set([-32603, -1])

function findSpecific(codes: readonly number[]): number | undefined {
  return codes.find((code) => !unspecific.has(code)) ?? codes[0]
}

const maxNested = 20

/** Lists the codes of an error and its nested errors, outermost first. The rejection code of ethers is a name. */
function listCodes(error: unknown): readonly number[] {
  return listNested(error).flatMap(({ code }) => {
    if (code === 'ACTION_REJECTED') return [4001]
    const number = typeof code === 'string' && code !== '' ? Number(code) : code
    return typeof number === 'number' && !Number.isNaN(number) ? [number] : []
  })
}

/** Lists an error and its nested errors, outermost first. */
function listNested(error: unknown): readonly Readonly<Record<string, unknown>>[] {
  const found = new Set<Readonly<Record<string, unknown>>>()
  const queue = [error]
  for (let index = 0; index < queue.length && index < maxNested; index++) {
    const value = queue[index]
    if (!isObject(value)) continue
    found.add(value)
    // Each wallet nests errors under other names. The cause of an `Error` is not enumerable.
    queue.push(value['cause'], ...Object.values(value).slice(0, maxNested))
  }
  return [...found]
}

const maxLength = 200

/** Returns the innermost specific message of an unspecific error, which is the message of the node. */
function describeInner(error: unknown): string {
  const [, ...inner] = listNested(error)
  const texts = inner.flatMap(({ message }) => (typeof message === 'string' ? toLine(message) : []))
  // The message of a failed request has the URL of the node, which may contain a key.
  const specific = texts.filter((text) => text !== '' && !text.includes('://') && !generic.test(text))
  return specific.at(-1) ?? describe(error)
}

const generic =
  /^(internal( json-rpc)? error|an (internal error was received|unknown rpc error occurred)|rpc request failed)\.?$/i

/** Returns the first line of a message. The other lines of viem's messages have the URL of the node. */
function describe(error: unknown): string {
  const { shortMessage, message } = (error ?? {}) as Readonly<Record<string, unknown>>
  const text = [shortMessage, message, error].find((value) => typeof value === 'string') ?? 'the wallet failed'
  return toLine(text)
}

function toLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, maxLength)
}
