import type { BatchCall, BuiltConvert, Chain } from '@agio/chain'

/**
 * Builds a conversion. Unless a signature pays it, the result contains every call that the sender needs now.
 *
 * @throws the errors of `Chain.conversions.build`
 */
export async function buildCall(
  chain: Chain,
  { permit, ...request }: Parameters<Chain['conversions']['build']>[0],
): Promise<BuiltConvert & { readonly calls?: readonly BatchCall[] }> {
  return permit === undefined
    ? await chain.conversions.buildBatch(request)
    : await chain.conversions.build({ ...request, permit })
}
