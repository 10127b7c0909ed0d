import { clientError } from '../errors/AgioError.ts'
import type { ConversionRun } from './ConversionRun.ts'
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

/** Returns whether the wallet has the account of the conversion and is connected to its chain. */
export async function isConnected(run: ConversionRun): Promise<boolean> {
  return hasSameAccount(run) && (await run.session.readChainId()) === run.state.chainId
}

function hasSameAccount({ session, state }: ConversionRun): boolean {
  return session.account.toLowerCase() === state.account.toLowerCase()
}
