import type { AgioApi } from '../api/AgioApi.ts'
import type { ChainId, WalletReplacement } from '../api/schemas.ts'
import { checkReplacement, type ReplacementKind } from '../check/checkReplacement.ts'
import { parseStep } from '../convert/parseStep.ts'
import type { Step } from '../convert/Step.ts'
import { AgioError, isAgioError } from '../errors/AgioError.ts'
import { clientError } from '../errors/clientError.ts'
import { openWallet } from '../wallet/openWallet.ts'
import type { Address, Hex, Wallet } from '../wallet/Wallet.ts'
import type { FoundTransaction, WalletSession } from '../wallet/WalletSession.ts'

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
}

/**
 * Sends a transaction with the sender and the nonce of a pending transaction, and returns its hash. Before that, it
 * checks the transaction from the service against the step and against the pending transaction, which it reads from the
 * node of the wallet. The wallet prompts once.
 *
 * @throws `svc/already-mined`, `svc/transaction-not-found`, `convert/mismatch`, `convert/invalid-step`, `wallet/*`
 */
export async function replaceTransaction(
  api: AgioApi,
  { target, kind, wallet, signal }: ReplaceOptions & { readonly target: ReplaceTarget; readonly kind: ReplacementKind },
): Promise<Hex> {
  const known = toKnown(target)
  const { chainId, transactionHash } = known
  const session = await openWallet(wallet, { signal })
  assertAccount(session, known.account)
  if ((await session.getChainId()) !== chainId) await session.switchChain(chainId)
  const pending = await readPending(session, transactionHash)
  assertAccount(session, pending.from)
  const built = await api.transaction.buildReplace.query({ chainId, transactionHash, kind }, { signal })
  const { transaction } = built
  checkReplacement({ kind, chainId, pending, call: known.call }, transaction)
  await session.assertUnchanged(chainId)
  const hash = await send(session, { transaction, replaced: pending })
  await assertNonce(session, { hash, replaced: pending })
  return hash
}

type Known = {
  readonly chainId: ChainId
  readonly transactionHash: Hex
  /** The account of the step. Undefined without a step. */
  readonly account?: Address | undefined
  readonly call?: checkReplacement.Call | undefined
}

function toKnown(target: ReplaceTarget): Known {
  if (!('state' in target)) return { chainId: target.chainId, transactionHash: target.transactionHash }
  const { state } = parseStep(target)
  const { chainId, account, pending } = state
  if (!pending?.transactionHash) {
    const reason = 'it has no pending transaction with a known hash'
    throw clientError('convert/invalid-step', `Cannot replace the transaction of the step: ${reason}`, { reason })
  }
  const { transactionHash, kind, to, data } = pending
  // The call is unknown for a batch, which the wallet packs, and for a conversion that was found by its payment.
  const call = kind === 'batch' || data === '0x' ? undefined : { to, data }
  return { chainId, transactionHash, account, call }
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
  const found = await session.getTransaction(hash)
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
    return await session.sendTransaction(transaction, replaced.nonce)
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

const maxLooks = 5
const pauseMs = 200

/**
 * Asserts that the wallet used the given nonce. Some wallets choose the next nonce, and then both transactions may be
 * mined.
 */
async function assertNonce(
  session: WalletSession,
  { hash, replaced }: Replacing<{ readonly hash: Hex }>,
): Promise<void> {
  for (let look = 0; look < maxLooks; look += 1) {
    const sent = await ignoreFailure(() => session.getTransaction(hash))
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
