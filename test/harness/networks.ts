import { Network } from '@agio/core'

/** Lists one value for each network, in the order of the table: its own, or the value of all others. */
export function perChain<Value>(
  own: Readonly<Partial<Record<Network.ChainId, Value>>>,
  others: Value,
): readonly Value[] {
  return Network.chainIds.map((chainId) => own[chainId] ?? others)
}

/** Returns a network other than the given one. */
export function getOtherChainId(chainId: Network.ChainId): Network.ChainId {
  const other = Network.chainIds.find((id) => id !== chainId)
  if (other === undefined) throw new Error('Cannot find another network: the table has one')
  return other
}
