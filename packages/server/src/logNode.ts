import type { NodeReport } from '@agio/chain'
import type { ChainId } from '@agio/core'
import type { Logger } from 'pino'

/** Logs what has become of an upstream node, which is named by its variable and its place in there, never by its URL. */
export function logNode(log: Pick<Logger, 'error' | 'warn' | 'info'>, chainId: ChainId, report: NodeReport): void {
  const { position, state, code, servedChainId } = report
  const place = { variable: `RPC_URL_${chainId}`, position }
  if (state === 'healthy') log.info(place, 'a node is asked again')
  else if (state === 'wrong-chain') log.error({ ...place, chainId, servedChainId }, 'a node serves another chain')
  else if (state === 'lagging') log.warn(place, 'a node lags behind: others are asked first')
  else log.warn({ ...place, code }, 'a node is left alone until it is well')
}
