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

/** A pending transaction to replace: that of a step, or any other of the wallet. */
export type ReplaceTarget = Step | { readonly chainId: ChainId; readonly transactionHash: `0x${string}` }

/** How a pending transaction is replaced. */
export type ReplaceOptions = {
  /** The wallet that sent it: a viem `WalletClient`, or any EIP-1193 provider. */
  readonly wallet: Wallet
  /** Stops before the wallet is asked, and the wait for its response. What the user confirms after that is sent all the same. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Sends a transaction of the same sender and nonce as a pending one, after comparing what the service built with what the node of
 * the wallet has pending, and with the step. Asks the wallet once. Returns the hash.
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
  /** The account that sent it, and what it has sent; of a step. */
  readonly account?: Address | undefined
  readonly call?: checkReplacement.Call | undefined
}

function toKnown(target: ReplaceTarget): Known {
  if (!('state' in target)) return { chainId: target.chainId, transactionHash: target.transactionHash }
  const { state } = parseStep(target)
  const { chainId, account, pending } = state
  if (!pending?.transactionHash) {
    const reason = 'no transaction of it is on its way whose hash is known'
    throw clientError('convert/invalid-step', `Cannot replace the transaction of the step: ${reason}`, { reason })
  }
  const { transactionHash, kind, to, data } = pending
  // A batch is packed by its wallet, and an empty call was found by what it paid.
  const call = kind === 'batch' || data === '0x' ? undefined : { to, data }
  return { chainId, transactionHash, account, call }
}

function assertAccount({ account }: WalletSession, expected: Address | undefined): void {
  if (expected === undefined || expected.toLowerCase() === account.toLowerCase()) return
  const message = `Cannot replace a transaction of ${expected}: the wallet has ${account}`
  throw clientError('wallet/account-changed', message, { expected, actual: account })
}

/** Reads a transaction that is not mined by the node of the wallet, whose nonce and call the replacement must have. */
async function readPending(session: WalletSession, hash: Hex): Promise<FoundTransaction> {
  const found = await session.getTransaction(hash)
  if (found && found.blockNumber !== undefined) throw alreadyMined(hash)
  if (found) return found
  const code = 'svc/transaction-not-found'
  const message = `${code}: Cannot replace ${hash}: the node of the wallet does not have it pending. Another one may have replaced it`
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
    // It may have been mined while the wallet asked its user: nodes then refuse the nonce.
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

/** Asserts that the wallet has sent a transaction with the nonce that it was given: some choose the next one, and both may be mined. */
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
  const message = `The wallet has sent ${hash} with nonce ${actual} instead of ${replaced.nonce}: it does not replace ${replaced.hash}, and both may be mined`
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
