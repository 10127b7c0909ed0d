import type { NamedToken } from '@agio/sdk'

/** The tokens of a conversion, by address. */
export type Pair = { readonly tokenIn: `0x${string}`; readonly tokenOut: `0x${string}` }

/** A side of the form: the token to pay or the token to receive. */
export type Side = keyof Pair

/** Selects a token on one side. Selecting the token of the other side swaps both. */
export function selectToken(pair: Pair, side: Side, address: `0x${string}`): Pair {
  const otherSide = side === 'tokenIn' ? 'tokenOut' : 'tokenIn'
  return pair[otherSide] === address ? swapTokens(pair) : { ...pair, [side]: address }
}

/** Returns the pair of the opposite direction. */
export function swapTokens({ tokenIn, tokenOut }: Pair): Pair {
  return { tokenIn: tokenOut, tokenOut: tokenIn }
}

/**
 * Returns the selected pair if the network has both tokens, else the default pair: tAUD to tUSD, or the first token to
 * the reference token. Returns undefined for a network with fewer than two tokens.
 */
export function choosePair(selected: Pair | undefined, { tokens, referenceToken }: Choice): Pair | undefined {
  const has = (address: string) => tokens.some((token) => token.address === address)
  if (selected && has(selected.tokenIn) && has(selected.tokenOut)) return selected
  const find = (wanted: string) => tokens.find(({ symbol }) => symbol === wanted)?.address
  const tokenOut = find('tUSD') ?? (has(referenceToken) ? referenceToken : tokens.at(-1)?.address)
  const first = tokens.find(({ address }) => address !== tokenOut)?.address
  const tokenIn = find('tUSD') === undefined ? first : (find('tAUD') ?? first)
  return tokenIn && tokenOut && { tokenIn, tokenOut }
}

/** Returns the tokens of two names, each a symbol or an address, or a default pair. They differ. */
export function findPair(tokens: readonly NamedToken[], { tokenIn, tokenOut }: NamedPair) {
  const find = (name: string | undefined) =>
    tokens.find(({ address, symbol }) => symbol === name || address.toLowerCase() === name?.toLowerCase())
  const [first, second] = [find(tokenIn), find(tokenOut)]
  if (first && second && first !== second) return [first, second] as const
  if (first) return [first, tokens.find((token) => token !== first)] as const
  const referenceToken = (second ?? tokens.at(-1))?.address ?? '0x'
  const pair = choosePair(undefined, { tokens, referenceToken })
  const payable = [find(pair?.tokenIn), ...tokens].find((token) => token !== second)
  return [payable, second ?? find(pair?.tokenOut)] as const
}

type NamedPair = { readonly tokenIn?: string | undefined; readonly tokenOut?: string | undefined }

type Choice = {
  readonly tokens: readonly Pick<NamedToken, 'address' | 'symbol'>[]
  readonly referenceToken: `0x${string}`
}
