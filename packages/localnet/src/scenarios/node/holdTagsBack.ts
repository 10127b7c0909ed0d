import { numberToHex, type Hex } from 'viem'

/** How many blocks the tags of a chain are behind its newest block. */
export type TagDepths = { readonly safe: bigint; readonly finalized: bigint }

type Call = { readonly method?: unknown; readonly params?: readonly unknown[] }

/**
 * Returns the body of JSON-RPC requests with the tags `safe` and `finalized` replaced by the numbers of earlier blocks.
 * A local node would answer these tags with its newest block. A body without the tags is returned unchanged.
 *
 * @param readNewest reads the number of the newest block
 */
export async function holdTagsBack(
  body: Uint8Array,
  { depths, readNewest }: { readonly depths: TagDepths; readonly readNewest: () => Promise<bigint> },
): Promise<Uint8Array> {
  const text = new TextDecoder().decode(body)
  if (!/"(safe|finalized)"/.test(text)) return body
  const newest = await readNewest()
  const toNumber = (parameter: unknown): unknown => {
    if (parameter !== 'safe' && parameter !== 'finalized') return parameter
    return toBlock(newest - depths[parameter])
  }
  const replace = (call: Call) => ({ ...call, ...(call.params && { params: call.params.map(toNumber) }) })
  const parsed = JSON.parse(text) as Call | readonly Call[]
  return new TextEncoder().encode(JSON.stringify(Array.isArray(parsed) ? parsed.map(replace) : replace(parsed as Call)))
}

function toBlock(number: bigint): Hex {
  return numberToHex(number > 0n ? number : 0n)
}
