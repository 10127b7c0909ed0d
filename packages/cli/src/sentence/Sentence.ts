import { CommandError } from '../errors/CommandError.ts'

/** A conversion as the command line states it: tokens by symbol or address, and one of both amounts. */
export type Sentence = {
  readonly tokenIn: string
  readonly tokenOut: string
} & (
  | { readonly amountIn: string; readonly amountOut?: undefined }
  | { readonly amountOut: string; readonly amountIn?: undefined }
)

/**
 * Parses a conversion: `100 tAUD tUSD` pays 100 tAUD, and `tAUD 65 tUSD` with `exactOut` receives 65 tUSD.
 *
 * @throws `CommandError` that says what to write
 */
export function parse(words: readonly string[], { exactOut = false }: Options = {}): Sentence {
  const [first = '', second = '', third = ''] = words
  if (words.length !== 3) throw new CommandError('input', `Name an amount and two tokens: ${examples}`)
  if (exactOut) {
    if (isAmount(second)) return { tokenIn: first, amountOut: second, tokenOut: third }
    throw new CommandError(
      'input',
      `With --exact-out the amount is the second word: agio quote tAUD 65 tUSD --exact-out`,
    )
  }
  if (isAmount(first)) return { amountIn: first, tokenIn: second, tokenOut: third }
  const hint = isAmount(second) ? ' Pass --exact-out to receive an exact amount.' : ''
  throw new CommandError('input', `Invalid amount: '${first}' is not a number.${hint} Write ${examples}`)
}

type Options = {
  /** Whether the amount is received. */
  readonly exactOut?: boolean | undefined
}

const examples = '100 tAUD tUSD, or tAUD 65 tUSD --exact-out'

/** Returns whether a word is an amount. The service checks its range and its decimals. */
export function isAmount(word: string): boolean {
  return /^(\d+\.?\d*|\.\d+)$/.test(word)
}
