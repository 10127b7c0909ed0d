import type { BatchCall, BuiltConvert, Chain } from '@agio/chain'

/**
 * Builds a conversion; unless a signature pays it, with all calls that it needs from its sender now.
 *
 * @throws what `Chain.conversions.build` throws
 */
export async function buildCall(
  chain: Chain,
  { permit, ...request }: Parameters<Chain['conversions']['build']>[0],
): Promise<BuiltConvert & { readonly calls?: readonly BatchCall[] }> {
  return permit === undefined
    ? await chain.conversions.buildBatch(request)
    : await chain.conversions.build({ ...request, permit })
}
