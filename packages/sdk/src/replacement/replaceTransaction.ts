import type { AgioApi } from '../api/AgioApi.ts'
import type { ChainId, WalletReplacement } from '../api/schemas.ts'
import { checkGas } from '../conversion/checkGas.ts'
import type { Replacement } from '../conversion/Replacement.ts'
import { parseStep, type Step } from '../conversion/Step.ts'
import { AgioError, isAgioError, clientError } from '../errors/AgioError.ts'
import type { Nodes } from '../wallet/connectNodes.ts'
import { openWallet } from '../wallet/openWallet.ts'
import type { Address, Hex, Wallet } from '../wallet/Wallet.ts'
import type { FoundTransaction, WalletSession } from '../wallet/WalletSession.ts'
import { assertShape, callShape } from '../quote/assertShape.ts'
import { checkEnvelope, checkSender } from '../checks/checkTransaction.ts'
import { assertEqual, mismatch, formatValue } from '../quote/mismatch.ts'

/** A pending transaction to replace: the transaction of a step, or any other transaction of the wallet. */
export type ReplaceTarget = Step | { readonly chainId: ChainId; readonly transactionHash: `0x${string}` }

/** Options of `agio.speedUp` and `agio.cancel`. */
export type ReplaceOptions = {
  /** The wallet that sent it: a viem `WalletClient`, or any EIP-1193 provider. */
  readonly wallet: Wallet
  /**
   * Stops before the wallet is asked, or stops waiting for its response. If the user confirms later, the transaction is
   * sent.
   */
  readonly signal?: AbortSignal | undefined
  /** Most that the gas may cost, in wei: the gas limit times the highest fee. */
  readonly maxGasCost?: bigint | undefined
}

/**
 * Sends a transaction with the sender and the nonce of a pending transaction, and returns its hash. Before that, it
 * checks the transaction from the service against the step and against the pending transaction, which it reads from the
 * node of the wallet. The wallet prompts once.
 *
 * @throws `svc/already-mined`, `svc/transaction-not-found`, `convert/mismatch`, `convert/invalid-step`, `wallet/*`
 */
export async function replaceTransaction(
  { api, nodes }: { readonly api: AgioApi; readonly nodes: Nodes },
  {
    target,
    kind,
    wallet,
    signal,
    maxGasCost,
    onSent,
  }: ReplaceOptions & {
    readonly target: ReplaceTarget
    readonly kind: Replacement['kind']
    /** Takes the replacement before its hash is returned. */
    readonly onSent: (replacement: Replacement) => Promise<void>
  },
): Promise<Hex> {
  const replaceable = toReplaceable(target)
  const { chainId, transactionHash } = replaceable
  const session = await openWallet(wallet, { signal, chainId, nodes })
  assertAccount(session, replaceable.account)
  if ((await session.readChainId()) !== chainId) await session.switchChain(chainId)
  const pending = await readPending(session, transactionHash)
  assertAccount(session, pending.from)
  const built = await api.transaction.buildReplace.query({ chainId, transactionHash, kind }, { signal })
  assertShape('build', built, { transaction: { ...callShape, nonce: 'string' } })
  const { transaction } = built
  checkReplacement({ kind, chainId, pending, call: replaceable.call }, transaction)
  await checkGas(session, transaction, { maxGasCost, replaced: pending })
  await session.assertUnchanged(chainId)
  const hash = await send(session, { transaction, replaced: pending })
  await assertNonce(session, { hash, replaced: pending })
  await onSent({ kind, transactionHash: hash, replaced: transactionHash })
  return hash
}

type Replaceable = {
  readonly chainId: ChainId
  readonly transactionHash: Hex
  /** The account of the step. Undefined without a step. */
  readonly account?: Address | undefined
  readonly call?: checkReplacement.Call | undefined
}

function toReplaceable(target: ReplaceTarget): Replaceable {
  if (!('state' in target)) return { chainId: target.chainId, transactionHash: target.transactionHash }
  const { state } = parseStep(target)
  const { chainId, account, pending } = state
  if (!pending?.transactionHash) {
    const reason = 'it has no pending transaction with a known hash'
    throw clientError('convert/invalid-step', `Cannot replace the transaction of the step: ${reason}`, { reason })
  }
  const { cancelHash, kind, to, data } = pending
  // The call is unknown for a batch, which the wallet packs, and for a conversion that was found by its payment. A
  // cancellation has another call.
  const call = kind === 'batch' || data === '0x' || cancelHash !== undefined ? undefined : { to, data }
  // Nodes forget replaced transactions.
  return { chainId, transactionHash: cancelHash ?? pending.transactionHash, account, call }
}

function assertAccount({ account }: WalletSession, expected: Address | undefined): void {
  if (expected === undefined || expected.toLowerCase() === account.toLowerCase()) return
  const message = `Cannot replace a transaction of ${expected}: the wallet has ${account}`
  throw clientError('wallet/account-changed', message, { expected, actual: account })
}

/**
 * Reads the pending transaction from the node of the wallet. The replacement must have its nonce, and a speed-up its
 * call.
 */
async function readPending(session: WalletSession, hash: Hex): Promise<FoundTransaction> {
  const found = await session.findTransaction(hash)
  if (found && found.blockNumber !== undefined) throw alreadyMined(hash)
  if (found) return found
  const code = 'svc/transaction-not-found'
  const message = `${code}: Cannot replace ${hash}: it is not pending at the node of the wallet. Another transaction may have replaced it`
  throw new AgioError(code, message, { details: {}, retryable: true, action: 'retry' })
}

function alreadyMined(hash: Hex, cause?: unknown): AgioError {
  const code = 'svc/already-mined'
  const fields = { details: {}, retryable: false, action: 'fix_input', cause } as const
  return new AgioError(code, `${code}: Cannot replace ${hash}: it is mined`, fields)
}

type Replacing<Content> = Content & { readonly replaced: FoundTransaction }

async function send(
  session: WalletSession,
  { transaction, replaced }: Replacing<{ readonly transaction: WalletReplacement }>,
): Promise<Hex> {
  try {
    const hash = await session.sendTransaction(transaction, replaced.nonce)
    if (hash) return hash
    const message = 'Cannot follow the replacement: the wallet returned no transaction hash'
    throw clientError('wallet/failed', message, { method: 'eth_sendTransaction' })
  } catch (error) {
    // If it was mined while the wallet prompted, nodes reject the nonce.
    if (isAgioError(error) && error.code === 'wallet/failed' && (await isUsed(session, replaced)))
      throw alreadyMined(replaced.hash, error)
    throw error
  }
}

async function isUsed(session: WalletSession, { nonce }: FoundTransaction): Promise<boolean> {
  const used = await ignoreFailure(() => session.countTransactions('latest'))
  return used !== undefined && used > nonce
}

const maxReads = 5
const pauseMs = 200

/**
 * Asserts that the wallet used the given nonce. Some wallets choose the next nonce, and then both transactions may be
 * mined.
 */
async function assertNonce(session: WalletSession, { hash, replaced }: Replacing<{ readonly hash: Hex }>) {
  for (let read = 0; read < maxReads; read += 1) {
    const sent = await ignoreFailure(() => session.findTransaction(hash))
    if (sent?.nonce === replaced.nonce) return
    if (sent) throw nonceChanged({ hash, replaced, actual: sent.nonce })
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

function nonceChanged({ hash, replaced, actual }: Replacing<{ readonly hash: Hex; readonly actual: number }>) {
  const message = `The wallet sent ${hash} with nonce ${actual} instead of ${replaced.nonce}. It does not replace ${replaced.hash}, and both may be mined`
  const details = { transactionHash: hash, expected: replaced.nonce, actual }
  return clientError('wallet/nonce-changed', message, details)
}

async function ignoreFailure<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read()
  } catch {
    return undefined
  }
}

/**
 * Asserts that a transaction has the sender and the nonce of a pending transaction, and is either the same call or an
 * empty transfer to the sender.
 *
 * @throws `convert/mismatch` with the first field that differs
 */
function checkReplacement({ kind, chainId, pending, call }: checkReplacement.Expected, transaction: WalletReplacement) {
  const { from, nonce } = pending
  checkSender({ account: from, chainId }, transaction)
  assertEqual('nonce', String(nonce), Number(transaction.nonce))
  if (kind === 'cancel') {
    checkEnvelope(from, transaction)
    return assertEqual('data', '0x', transaction.data)
  }
  assertEqual('to', pending.to ?? 'none', transaction.to)
  assertEqual('data', pending.input, transaction.data)
  assertValue(pending.valueWei, transaction.value)
  if (!call) return
  checkEnvelope(call.to, transaction)
  assertEqual('data', call.data, transaction.data)
}

declare namespace checkReplacement {
  type Expected = {
    readonly kind: Replacement['kind']
    readonly chainId: number
    /** The pending transaction, read from the node of the wallet. */
    readonly pending: Pending
    /** The call that the wallet was asked to send, without native currency. */
    readonly call?: Call | undefined
  }
  type Call = { readonly to: string; readonly data: string }
  type Pending = {
    readonly from: string
    readonly nonce: number
    readonly to?: string | undefined
    readonly input: string
    /** Undefined if the node does not return it. */
    readonly valueWei?: bigint | undefined
  }
}

function assertValue(expected: bigint | undefined, actual: string): void {
  if (expected !== undefined && /^(?:0x[0-9a-f]+|\d+)$/i.test(actual) && BigInt(actual) === expected) return
  throw mismatch('value', { expected: expected === undefined ? 'unknown' : `${expected}`, actual: formatValue(actual) })
}
