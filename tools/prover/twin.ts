import { PoolMath, ServiceError, type Hop as Hops, type Pool } from '@agio/core'
import { Reverted } from './Path.ts'
import * as Term from './Term.ts'
import { getMember, toTerm, type Value } from './Value.ts'
import type { Call, Run } from './World.ts'

type Hop = Hops.Hop

const nowSeconds = 1_800_000_000n
const one = 10n ** 18n
// So large that no amount of a law reaches the halt.
const unlimited = 2n ** 512n

/** The maths of the contracts as `packages/core` computes it, by the name of the function. */
const functions: Readonly<Record<string, (call: Call) => Value>> = {
  'PoolMath.grossOut': ({ args: [amount, ...assets] }) =>
    Term.integer(PoolMath.valueAtOracle(toUnlimited(assets), toAmount(amount))),
  'PoolMath.quoteExactIn': ({ args: [amount, ...rest] }) => quoteInput(toUnlimited(rest), amount),
  'PoolMath.quoteExactOut': ({ args: [amount, ...rest] }) => quoteOutput(toUnlimited(rest), amount),
  'PoolMath.maxOrigin': ({ args: [origin, target, alpha] }) =>
    Term.integer(
      PoolMath.maxOrigin(
        toHop({ origin: toSide(origin, '0x1'), target: toSide(target, '0x2'), alpha: toAmount(alpha) }),
      ),
    ),
  'PoolQuotes.constructor': construct,
  'PoolQuotes.maxOrigin': (call) => Term.integer(PoolMath.maxOrigin(toPoolHop(call))),
  'PoolQuotes.viewOriginSwap': (call) => quoteInput(toPoolHop(call), call.args[2]),
  'PoolQuotes.viewTargetSwap': (call) => quoteOutput(toPoolHop(call), call.args[2]),
}

/** The functions of the contracts that `packages/core` computes too. */
export const twins: ReadonlySet<string> = new Set(Object.keys(functions))

/** Runs the functions of the contracts by the maths of `packages/core`. An error of the service is a revert. */
export const runByCore: Run = (call) => {
  const run = functions[call.name]
  if (!run) throw new Error(`Cannot run ${call.name}: packages/core does not compute it`)
  try {
    return run(call)
  } catch (error) {
    if (error instanceof ServiceError) throw new Reverted()
    throw error
  }
}

function quoteInput(hop: Hop, amount: Value | undefined): Term.Term {
  return Term.integer(PoolMath.priceExactIn(hop, toAmount(amount), nowSeconds).amountOutRaw)
}

function quoteOutput(hop: Hop, amount: Value | undefined): Term.Term {
  return Term.integer(PoolMath.priceExactOut(hop, toAmount(amount), nowSeconds))
}

// What `construct` returns as immutables, by numbers instead of declarations.
const [baseId, quoteId, baseReaderId, quoteReaderId, alphaId, epsilonId] = [1, 2, 3, 4, 5, 6]

/** Checks the parameters of a pool, which the service reads from pools that were deployed. */
function construct({ args: [config] }: Call): Value {
  const names = ['base', 'quote', 'baseReader', 'quoteReader', 'alpha', 'epsilon']
  const members = Object.fromEntries(names.map((name, index) => [index + 1, toTerm(getMember(config!, name))]))
  const [alpha, epsilon] = [toAmount(members[alphaId]), toAmount(members[epsilonId])]
  const isValid = alpha > 0n && alpha < one && epsilon <= 10n ** 16n && members[baseId]?.text !== members[quoteId]?.text
  if (!isValid) throw new Reverted()
  return { members }
}

function toPoolHop({ args: [from, to], state: { immutables, variables, read } }: Call): Hop {
  const get = (id: number) => toTerm(immutables.get(id))
  const sideOf = (token: Term.Term, reader: Term.Term): Pool.Side => {
    const unit = Term.powerOfTen(read('tokenDecimals', [reader]))
    const members = { reserve: read('balanceOf', [token]), price: read('getRate', [reader]), unit }
    return toSide({ members }, `0x${token.text}`)
  }
  const base = sideOf(get(baseId), get(baseReaderId))
  const quote = sideOf(get(quoteId), get(quoteReaderId))
  const sides = [base, quote]
  const [origin, target] = [from, to].map((token) =>
    sides.find(({ token: { address } }) => address === `0x${toTerm(token).text}`),
  )
  if (!origin || !target || origin === target) throw new Reverted()
  const frozen = toTerm(variables.get('frozen')).value === true
  return toHop({ origin, target, alpha: toAmount(get(alphaId)), epsilon: toAmount(get(epsilonId)), frozen })
}

/** Returns the hop of a call of PoolMath, in a pool that has no limit: the arguments are the assets and the fee. */
function toUnlimited([origin, target, epsilon]: readonly Value[]): Hop {
  const fee = epsilon === undefined ? 0n : toAmount(epsilon)
  const sides = { origin: toSide(origin, '0x1'), target: { ...toSide(target, '0x2'), reserve: unlimited } }
  return toHop({ ...sides, alpha: one - 1n, epsilon: fee })
}

type Parts = Pick<Hop, 'origin' | 'target'> & Pick<Pool.Pool, 'alpha'> & Partial<Pick<Pool.Pool, 'epsilon' | 'frozen'>>

function toHop({ origin, target, alpha, epsilon = 0n, frozen = false }: Parts): Hop {
  const fields = { address: '0x3', totalSupply: 0n, pricing: 'local' } as const
  return { pool: { ...fields, base: origin, quote: target, alpha, epsilon, frozen }, origin, target }
}

function toSide(asset: Value | undefined, address: `0x${string}`): Pool.Side {
  const [reserve, price, unit] = ['reserve', 'price', 'unit'].map((name) => toAmount(getMember(asset!, name)))
  const token = { address, symbol: 'T', name: 'T', decimals: unit!.toString().length - 1 }
  return { token, reserve: reserve!, price: { oracle: null, answer: price!, updatedAtSeconds: 0n, maxAgeSeconds: 0n } }
}

function toAmount(value: Value | undefined): bigint {
  const amount = Term.integerOf(toTerm(value))
  if (amount === undefined) throw new Error('Cannot compute with a variable')
  return amount
}
