import type { Network } from './settings.ts'

/**
 * Returns the block explorer URL of a transaction, an account or a block, or undefined on a network without an
 * explorer.
 */
export function toExplorerUrl(
  { blockExplorer }: Pick<Network, 'blockExplorer'>,
  kind: 'tx' | 'address' | 'block',
  value: string | number,
): string | undefined {
  return blockExplorer === null ? undefined : `${blockExplorer.url.replace(/\/+$/, '')}/${kind}/${value}`
}
