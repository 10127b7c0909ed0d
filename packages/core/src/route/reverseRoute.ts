import type { ConversionRoute, Hop } from './findConversionRoute.ts'

/** Returns the route of the conversion back: the same pools from the last token to the first. */
export function reverseRoute([first, second]: ConversionRoute): ConversionRoute {
  return second ? [reverseHop(second), reverseHop(first)] : [reverseHop(first)]
}

function reverseHop({ pool, tokenIn, tokenOut }: Hop): Hop {
  return { pool, tokenIn: tokenOut, tokenOut: tokenIn }
}
