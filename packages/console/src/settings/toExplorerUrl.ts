import type { Network } from './settings.ts'

/** Returns the page of a block explorer about a transaction, an account or a block; undefined on a network without one. */
export function toExplorerUrl(
  { blockExplorer }: Pick<Network, 'blockExplorer'>,
  kind: 'tx' | 'address' | 'block',
  value: string | number,
): string | undefined {
  return blockExplorer === null ? undefined : `${blockExplorer.url.replace(/\/+$/, '')}/${kind}/${value}`
}
