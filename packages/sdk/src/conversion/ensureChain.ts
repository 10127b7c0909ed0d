import { clientError } from '../errors/AgioError.ts'
import type { ConversionRun } from './ConversionRun.ts'
import { ignoreWalletFailure, wrongChain } from '../wallet/toWalletError.ts'
import { countPrompt } from './prompts.ts'

/**
 * Ensures that the wallet has the account of the conversion and is connected to its chain. Otherwise it asks the wallet
 * to switch.
 *
 * @throws `wallet/account-changed`, `wallet/rejected`, `wallet/wrong-chain`
 */
export async function ensureChain(run: ConversionRun): Promise<void> {
  const { session, state } = run
  if (!hasSameAccount(run)) {
    const message = `Cannot continue the conversion of ${state.account}: the wallet has ${session.account} now`
    throw clientError('wallet/account-changed', message, { expected: state.account, actual: session.account })
  }
  const from = await session.readChainId()
  if (from === state.chainId) return
  const content = { kind: 'switch-chain', from, to: state.chainId } as const
  await run.publish({ ...content, status: 'needed' })
  // A sent transaction must be found, however often the wallet was asked.
  if (!state.pending) countPrompt(run)
  await run.publish({ ...content, status: 'waiting-for-wallet' })
  await session.switchChain(state.chainId)
  await run.publish({ ...content, status: 'done' })
}

/**
 * Reads from the node of the wallet without a prompt. Returns undefined if the wallet has another account or chain,
 * also if it changed during the read.
 */
export async function whileConnected<Value>(
  run: ConversionRun,
  read: () => Promise<Value>,
): Promise<Value | undefined> {
  if (!(await isConnected(run))) return undefined
  const value = await read()
  return (await isConnected(run)) ? value : undefined
}

/** Returns whether the session has the account of the conversion and reads its chain. A configured node always does. */
export async function isConnected(run: ConversionRun): Promise<boolean> {
  const { session, state } = run
  return hasSameAccount(run) && (session.readsFrom === 'node' || (await session.readChainId()) === state.chainId)
}

/** Ensures that the chain of the conversion can be read. Without a configured node, it asks the wallet to switch. */
export async function ensureReads(run: ConversionRun): Promise<void> {
  if (run.session.readsFrom === 'wallet' || !hasSameAccount(run)) await ensureChain(run)
}

const maxDisconnectedMs = 60_000

/**
 * Creates a function for a loop that waits while the wallet is on another chain.
 *
 * @throws `wallet/wrong-chain` after a minute on another chain
 */
export function createConnectionWait(run: ConversionRun): () => Promise<void> {
  let disconnectedAtMs: number | undefined
  return async () => {
    const isReadable = await ignoreWalletFailure(() => isConnected(run))
    if (isReadable !== false) {
      disconnectedAtMs = undefined
      return
    }
    disconnectedAtMs ??= Date.now()
    if (Date.now() - disconnectedAtMs < maxDisconnectedMs) return
    throw wrongChain({ expected: run.state.chainId, actual: await run.session.readChainId() })
  }
}

function hasSameAccount({ session, state }: ConversionRun): boolean {
  return session.account.toLowerCase() === state.account.toLowerCase()
}
