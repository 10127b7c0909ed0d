import fc from 'fast-check'
import type * as Pool from '../src/pool/Pool.ts'
import * as Route from '../src/route/Route.ts'
import { poolOf, sideOf } from './pools.fixture.ts'

/** A route through pools of random tokens, prices and fees, and an amount at either end of the route. */
export type World = { readonly route: Route.Route; readonly amountRaw: bigint }

/**
 * Creates worlds with one pool or two. Tokens have 0, 2, 6, 8 or 18 decimals, prices are from 10^-6 to 10^4 dollars,
 * fees from 0 to 5 %, and amounts have up to 30 digits. The reserves exceed every amount, so that no limit applies.
 */
export function arbitraryWorlds(pools: 1 | 2): fc.Arbitrary<World> {
  const market = fc.record({
    input: arbitrarySide('AUD'),
    output: arbitrarySide('EUR'),
    between: arbitrarySide('USD'),
    // The pools of a foreign market may read the price of their common token from two oracles.
    secondAnswer: fc.option(arbitraryAnswer, { nil: undefined, freq: 4 }),
    fees: fc.tuple(arbitraryFee, arbitraryFee),
    amountRaw: arbitraryOfDigits(1, 30),
  })
  return market.map(({ input, output, between, secondAnswer, fees: [epsilon, second], amountRaw }) => {
    const secondBetween = toSide('USD', between.token.decimals, secondAnswer ?? between.price.answer)
    const states =
      pools === 1
        ? [poolOf(input, output, { epsilon })]
        : [poolOf(input, between, { epsilon }), poolOf(output, secondBetween, { epsilon: second })]
    const tokens = { tokenIn: input.token.address, tokenOut: output.token.address }
    return { route: Route.get(states, { ...tokens, referenceToken: between.token.address }), amountRaw }
  })
}

const arbitraryAnswer = arbitraryOfDigits(3, 12)

const arbitraryFee = fc.oneof(
  fc.constantFrom(0n, 5n * 10n ** 14n, 5n * 10n ** 16n),
  fc.bigInt({ min: 0n, max: 5n * 10n ** 16n }),
)

type Symbol = 'AUD' | 'EUR' | 'USD'

function arbitrarySide(symbol: Symbol): fc.Arbitrary<Pool.Side> {
  return fc
    .tuple(fc.constantFrom(0, 2, 6, 8, 18), arbitraryAnswer)
    .map(([decimals, answer]) => toSide(symbol, decimals, answer))
}

function toSide(symbol: Symbol, decimals: number, answer: bigint): Pool.Side {
  return sideOf(symbol, answer, { decimals, whole: 10n ** 60n / answer })
}

/** Creates positive integers of `min` to `max` digits. All lengths are equally likely. */
function arbitraryOfDigits(min: number, max: number): fc.Arbitrary<bigint> {
  return fc
    .integer({ min, max })
    .chain((length) => fc.bigInt({ min: 10n ** BigInt(length - 1), max: 10n ** BigInt(length) - 1n }))
}
