import type { AgioError } from '../errors/AgioError.ts'
import type { WalletLink } from './createWalletLink.ts'
import { toQuantity } from './rpcValues.ts'
import { wrongChain } from './toWalletError.ts'

// Some wallets respond before they have switched.
const settleMs = 2000
const pollMs = 100

/** Connects a wallet to a network. @throws `wallet/rejected`, `wallet/wrong-chain` */
export async function switchChain(wallet: SwitchableWallet, chainId: number): Promise<void> {
  const { ask, getChainId, pause } = wallet
  const cause = await ask({ method: 'wallet_switchEthereumChain', params: [{ chainId: toQuantity(chainId) }] }).then(
    () => undefined,
    rethrowDecision,
  )
  const polls = cause === undefined ? settleMs / pollMs : 0
  let actual = await getChainId()
  for (let poll = 0; actual !== chainId && poll < polls; poll++) {
    await pause(pollMs)
    actual = await getChainId()
  }
  if (actual !== chainId) throw wrongChain({ expected: chainId, actual, cause })
}

export type SwitchableWallet = Pick<WalletLink, 'ask' | 'pause'> & { getChainId(): Promise<number> }

/** Returns a `wallet/failed` error, which does not count: the chain of the wallet decides. @throws any other error */
function rethrowDecision(error: AgioError): AgioError {
  if (error.code !== 'wallet/failed') throw error
  return error
}
