import { poolAbi, tokenAbi } from '@agio/chain/abi'
import { Amount, Network, type Address } from '@agio/core'
import { listScenarios, type LocalChain } from '@agio/localnet'
import fc from 'fast-check'
import { encodeFunctionData, hexToBigInt, maxUint256, type Hex } from 'viem'
import { expect, inject, it } from 'vitest'
import { decodeRevert } from '../../packages/chain/src/revert/decodeRevert.ts'
import { toRevertError } from '../../packages/chain/src/revert/toRevertError.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { randomSeed } from '../harness/randomSeed.ts'
import { startAgio } from '../harness/startAgio.ts'
import { longTests } from '../harness/timeLimits.ts'
import { setUp } from '../harness/setUp.ts'
import { recordTrial } from '../long/trials.ts'
import { atLeast } from './atLeast.ts'
import { createSecondEvm, type RunView } from './createSecondEvm.ts'

const extent = inject('extent')
const seed = randomSeed('states and amounts')
const [stateCount, casesPerState] = extent === 'long' ? [40, 500] : [5, 100]
const caseCount = stateCount * casesPerState

const stack = setUp(startAgio)

it(
  'previews of both kinds equal the views of the deployed pools, executed by another EVM, refusals included',
  { timeout: longTests.randomQuotes },
  async () => {
    const outcomes: Record<string, number> = {}
    for (let state = 0; state < stateCount; state += 1) {
      const chain = stack.localnet.chains[Network.chainIds[state % Network.chainIds.length]!]
      const fault = await changeState(chain, seed + state)
      const view = await createSecondEvm(connectOwner(chain).client)
      const directions = await listDirections(chain, view)
      const cases = fc.sample(arbitraryCase(directions), { seed: seed + state, numRuns: casesPerState })
      for (const batch of chunk(cases, 10)) {
        const expected = await Promise.all(batch.map((swapCase) => runView(view, swapCase)))
        const previews = await Promise.all(batch.map((swapCase) => preview(chain, swapCase)))
        expect(previews, `seed ${seed}, state ${state} with ${fault ?? 'no fault'}`).toMatchObject(expected)
        for (const [index, { kind }] of batch.entries()) {
          const { code } = expected[index]!
          const name = `${kind} ${code ?? 'amount'}`
          outcomes[name] = (outcomes[name] ?? 0) + 1
        }
      }
    }
    // Half of the states have a fault, so few states may have few amounts.
    const share = caseCount / 500
    expect(outcomes, `seed ${seed}`).toMatchObject(
      atLeast({
        'viewOriginSwap amount': 20 * share,
        'viewOriginSwap svc/above-max-origin': 5 * share,
        'viewOriginSwap svc/invalid-request': share,
        'viewTargetSwap amount': 20 * share,
        'viewTargetSwap svc/above-max-origin': 5 * share,
        'viewTargetSwap svc/invalid-request': share,
      }),
    )
    if (extent !== 'long') return
    // An exact output is never too small: one unit costs at least one unit.
    expect(outcomes).toMatchObject(
      atLeast({
        'viewOriginSwap svc/amount-too-small': 100,
        'viewOriginSwap svc/pool-frozen': 100,
        'viewOriginSwap svc/stale-price': 100,
        'viewTargetSwap svc/pool-frozen': 100,
        'viewTargetSwap svc/stale-price': 100,
      }),
    )
    const counts = Object.entries(outcomes).toSorted(([a], [b]) => (a < b ? -1 : 1))
    recordTrial({
      trial: 'Previews against the views of the deployed pools in `@ethereumjs/evm`',
      tried: `${caseCount.toLocaleString('en')} random amounts in ${stateCount} states of the local chains: prices, thin and frozen pools, stale prices`,
      result: `Differences: 0. ${counts.map(([name, count]) => `${name}: ${count.toLocaleString('en')}`).join(', ')}`,
    })
  },
)

// The scenarios that need no option, and whose refusals are those of a pool.
const refusals = new Set(['svc/stale-price', 'svc/reference-depegged', 'svc/pool-frozen', 'svc/above-max-origin'])
const faults = listScenarios().filter(
  ({ codes, options, name }) =>
    name !== 'reset' &&
    codes.length > 0 &&
    codes.every((code) => refusals.has(code)) &&
    Object.values(options).every(({ isOptional }) => isOptional),
)

/** Moves each price at random, and injects a fault into half of the states. Returns the name of the fault. */
async function changeState(chain: LocalChain, stateSeed: number): Promise<string | undefined> {
  const { chainId } = chain
  await stack.scenarios.reset({ chainId })
  const symbols = Object.keys(chain.oracles)
  const percents = fc.sample(fc.integer({ min: -60, max: 150 }), { seed: stateSeed, numRuns: symbols.length })
  for (const [index, symbol] of symbols.entries()) {
    await stack.scenarios.run('price-move', { chainId, symbol, percent: percents[index]! })
  }
  const half = { nil: undefined, freq: 2 }
  const [fault] = fc.sample(fc.option(fc.constantFrom(...faults), half), { seed: stateSeed, numRuns: 1 })
  if (!fault) return undefined
  const names = Object.entries(fault.options).flatMap(([option, spec]) =>
    spec.type === 'name' ? [fc.constantFrom(...Object.keys(chain[spec.of])).map((name) => [option, name])] : [],
  )
  const [chosen = []] = fc.sample(fc.option(fc.tuple(...names), { nil: [] }), { seed: stateSeed, numRuns: 1 })
  await stack.scenarios.run(fault.name as 'stale-price', { chainId, ...Object.fromEntries(chosen) })
  return fault.name
}

type Token = { readonly address: Address; readonly symbol: string; readonly name: string; readonly decimals: number }

/** A direction of a pool, with raw amounts about which its outcomes change. */
type Direction = {
  readonly pool: Address
  readonly tokenIn: Token
  readonly tokenOut: Token
  readonly edges: Readonly<Record<Case['kind'], readonly bigint[]>>
}

type Case = Omit<Direction, 'edges'> & {
  readonly kind: 'viewOriginSwap' | 'viewTargetSwap'
  readonly amountRaw: bigint
}

async function listDirections(chain: LocalChain, view: RunView): Promise<readonly Direction[]> {
  const { client } = connectOwner(chain)
  const directions: Direction[] = []
  for (const pool of Object.values(chain.pools)) {
    const tokens: Token[] = []
    for (const index of [0n, 1n]) {
      const args = [index] as const
      const address = await client.readContract({ address: pool, abi: poolAbi, functionName: 'numeraires', args })
      const read = { address, abi: tokenAbi } as const
      const symbol = await client.readContract({ ...read, functionName: 'symbol' })
      const decimals = await client.readContract({ ...read, functionName: 'decimals' })
      tokens.push({ address, symbol, name: symbol, decimals })
    }
    const [base, quote] = tokens as [Token, Token]
    for (const [tokenIn, tokenOut] of [[base, quote] as const, [quote, base] as const]) {
      const args = [tokenIn.address, tokenOut.address] as const
      const limit = await readNumber(view, pool, encodeFunctionData({ abi: poolAbi, functionName: 'maxOrigin', args }))
      const output = await readNumber(view, pool, encodeView('viewOriginSwap', [...args, limit]))
      const edges = { viewOriginSwap: [1n, limit], viewTargetSwap: [1n, output] }
      directions.push({ pool, tokenIn, tokenOut, edges })
    }
  }
  return directions
}

/** Amounts on a log scale, about the edges, zero, and the largest. */
function arbitraryCase(directions: readonly Direction[]): fc.Arbitrary<Case> {
  const ofAnySize = fc
    .integer({ min: 1, max: 30 })
    .chain((digits) => fc.bigInt({ min: 10n ** BigInt(digits - 1), max: 10n ** BigInt(digits) - 1n }))
  const kinds = fc.constantFrom<Case['kind'][]>('viewOriginSwap', 'viewTargetSwap')
  return fc.tuple(fc.constantFrom(...directions), kinds).chain(([{ edges, ...direction }, kind]) => {
    const [, halt = 0n] = edges[kind]
    const nearEdge = fc
      .tuple(fc.constantFrom(...edges[kind]), fc.bigInt({ min: -1n, max: 1n }))
      .map(([edge, offset]) => edge + offset)
    const below = fc.bigInt({ min: 0n, max: 1_000_000n }).map((millionths) => (halt * millionths) / 1_000_000n)
    // The contract computes the input of an exact output, which overflows for the largest.
    const largest = fc.constant(kind === 'viewOriginSwap' ? maxUint256 : 10n ** 36n)
    return fc
      .oneof(
        { weight: 8, arbitrary: ofAnySize },
        { weight: 5, arbitrary: nearEdge },
        { weight: 6, arbitrary: below },
        { weight: 1, arbitrary: largest },
      )
      .map((amount) => ({ ...direction, kind, amountRaw: amount < 0n ? 0n : amount }))
  })
}

type Expected = { readonly code?: string; readonly [field: string]: unknown }

/** Runs the view of a case, and converts its result to fields of the service. */
async function runView(view: RunView, { pool, kind, tokenIn, tokenOut, amountRaw }: Case): Promise<Expected> {
  const data = encodeView(kind, [tokenIn.address, tokenOut.address, amountRaw])
  const result = await view({ to: pool, data })
  const isExactIn = kind === 'viewOriginSwap'
  if (result.success) {
    const amount = hexToBigInt(result.data)
    return isExactIn
      ? { status: 200, amountOut: Amount.format(amount, tokenOut.decimals) }
      : { status: 200, amountIn: Amount.format(amount, tokenIn.decimals) }
  }
  // The service refuses the text of a zero before it reads the chain.
  if (amountRaw === 0n) return { code: 'svc/invalid-request' }
  const amounts = isExactIn ? { amountInRaw: amountRaw } : {}
  const conversion = { tokenIn, tokenOut, target: 'pool', ...amounts } as const
  const revert = decodeRevert(result.data)
  const { code, details } = toRevertError(revert, conversion)
  // The service names no limit that pays nothing.
  const limit = revert.name === 'AboveMaxOrigin' ? BigInt(revert.args[1] ?? 0) : undefined
  const atLimit = limit && encodeView('viewOriginSwap', [tokenIn.address, tokenOut.address, limit])
  const isLimitPaid = atLimit ? (await view({ to: pool, data: atLimit })).success : false
  // A revert for another reason than the age does not contain the age.
  const hasAge = code !== 'svc/stale-price' || ('reason' in details && details.reason === 'age')
  const compared = Object.entries(details).filter(
    ([field]) => (hasAge || !ageFields.has(field)) && (isLimitPaid || field !== 'maxAmountIn'),
  )
  return { code, ...Object.fromEntries(compared) }
}

const ageFields = new Set(['updatedAt', 'maxAgeSeconds'])

async function preview({ chainId }: LocalChain, { kind, pool, tokenIn, tokenOut, amountRaw }: Case): Promise<unknown> {
  const isExactIn = kind === 'viewOriginSwap'
  const { status, data, failure } = await stack.callers.REST(isExactIn ? 'convert.preview' : 'convert.quote', {
    chainId,
    poolAddress: pool,
    tokenIn: tokenIn.address,
    tokenOut: tokenOut.address,
    ...(isExactIn
      ? { amountIn: Amount.format(amountRaw, tokenIn.decimals) }
      : { amountOut: Amount.format(amountRaw, tokenOut.decimals) }),
  })
  return { status, ...data, ...failure }
}

/** Returns the number of a view, or one million of raw units if the state refuses it. */
async function readNumber(view: RunView, to: Address, data: Hex): Promise<bigint> {
  const result = await view({ to, data })
  return result.success ? hexToBigInt(result.data) : 1_000_000n
}

function encodeView(kind: Case['kind'], args: readonly [Address, Address, bigint]): Hex {
  return encodeFunctionData({ abi: poolAbi, functionName: kind, args })
}

function chunk<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
