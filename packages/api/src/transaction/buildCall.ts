import type { BatchCall, BuiltConvert, Chain } from '@agio/chain'

/**
 * Builds a conversion; unless a signature pays it, with all calls that it needs from its sender now.
 *
 * @throws what `Chain.buildConvert` throws
 */
export async function buildCall(
  chain: Chain,
  { permit, ...request }: Parameters<Chain['buildConvert']>[0],
): Promise<BuiltConvert & { readonly calls?: readonly BatchCall[] }> {
  return permit === undefined ? await chain.buildBatch(request) : await chain.buildConvert({ ...request, permit })
}
