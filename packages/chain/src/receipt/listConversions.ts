import { Route, type Address } from '@agio/core'
import { erc20Abi } from 'viem'
import { poolAbi } from '../abi/index.ts'
import type { Deployment } from '../deployment/Deployment.ts'
import { parseLogs, type TransactionLog } from '../transaction/readReceipt.ts'
import { listLogsOf } from './listLogsOf.ts'

/** A swap in one pool, as the pool's event records it. */
export type Trade = {
  readonly pool: Address
  /** The account that called the pool. For a conversion through the router, this is the router. */
  readonly trader: Address
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountInRaw: bigint
  readonly amountOutRaw: bigint
  /** The position of the event among all events of the block. */
  readonly logIndex: number
}

/**
 * A conversion of a mined transaction: the trade of one pool, or the trades of the pools that the router called in
 * sequence.
 */
export type TradedConversion = {
  readonly trades: readonly [Trade, ...Trade[]]
  /** The contract that was called: the router, or the pool. */
  readonly to: Address
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** The amount paid, in raw units. */
  readonly amountInRaw: bigint
  /** The amount received, in raw units. */
  readonly amountOutRaw: bigint
  /** The account that the input came from. */
  readonly payer: Address
  /** The account that the output went to. */
  readonly recipient: Address
}

type Contracts = Pick<Deployment, 'router' | 'pools' | 'referenceToken'>

/**
 * Lists the conversions of a transaction in the order of their events. Only events of the deployment's pools and of the
 * converted tokens count, since any contract can emit events of the same form.
 *
 * @throws `svc/upstream-error` for more than 2,000 trades, or transfers of the converted tokens
 */
export function listConversions(logs: readonly TransactionLog[], contracts: Contracts): readonly TradedConversion[] {
  const trades = listTrades(logs, contracts.pools)
  const transfers = listTransfers(logs, new Set(trades.flatMap(({ tokenIn, tokenOut }) => [tokenIn, tokenOut])))
  const sequences: [Trade, ...Trade[]][] = []
  let sequence: [Trade, ...Trade[]] | undefined
  for (const trade of trades) {
    const last = sequence?.at(-1)
    if (sequence && last && sequence.length < Route.maxHops && isContinued([last, trade], transfers, contracts)) {
      sequence.push(trade)
    } else {
      sequence = [trade]
      sequences.push(sequence)
    }
  }
  return sequences.map((each) => toConversion(each, transfers, contracts.router))
}

type Transfer = {
  readonly token: Address
  readonly from: Address
  readonly to: Address
  readonly amountRaw: bigint
  readonly logIndex: number
}

function listTrades(logs: readonly TransactionLog[], pools: readonly Address[]): readonly Trade[] {
  const emitted = listLogsOf(pools, logs)
  return parseLogs({ abi: poolAbi, eventName: 'Trade' }, emitted).map(({ address, args, logIndex }) => ({
    pool: address,
    trader: args.trader,
    tokenIn: args.origin,
    tokenOut: args.target,
    amountInRaw: args.originAmount,
    amountOutRaw: args.targetAmount,
    logIndex,
  }))
}

function listTransfers(logs: readonly TransactionLog[], tokens: ReadonlySet<Address>): readonly Transfer[] {
  const emitted = listLogsOf(tokens, logs)
  return parseLogs({ abi: erc20Abi, eventName: 'Transfer' }, emitted).map(({ address, args, logIndex }) => ({
    token: address,
    from: args.from,
    to: args.to,
    amountRaw: args.value,
    logIndex,
  }))
}

/**
 * Returns whether the router passed the output of the first trade to the second trade. Two separate conversions of one
 * batch may have the same amount. In that case the router pays out the first output, and receives the second input.
 */
function isContinued(
  [first, second]: readonly [Trade, Trade],
  transfers: readonly Transfer[],
  { router, referenceToken }: Contracts,
): boolean {
  if (first.trader !== router || second.trader !== router || first.pool === second.pool) return false
  if (first.tokenOut !== referenceToken || second.tokenIn !== referenceToken) return false
  if (first.amountOutRaw !== second.amountInRaw) return false
  return !transfers.some(
    ({ token, from, to, logIndex }) =>
      token === referenceToken &&
      (to === router || (from === router && to !== second.pool)) &&
      logIndex > first.logIndex &&
      logIndex < second.logIndex,
  )
}

function toConversion(
  trades: TradedConversion['trades'],
  transfers: readonly Transfer[],
  router: Address,
): TradedConversion {
  const [{ pool, trader, tokenIn, amountInRaw }, { tokenOut, amountOutRaw }] = [trades[0], trades.at(-1) ?? trades[0]]
  const to = trader === router ? router : pool
  return { trades, to, tokenIn, tokenOut, amountInRaw, amountOutRaw, ...findParties(trades, transfers, router) }
}

/** Returns the payer and the recipient: the accounts that paid, or were paid by, the router or the pool. */
function findParties(
  trades: TradedConversion['trades'],
  transfers: readonly Transfer[],
  router: Address,
): Pick<TradedConversion, 'payer' | 'recipient'> {
  const [first, last] = [trades[0], trades.at(-1) ?? trades[0]]
  const isRouted = first.trader === router
  const inputReceiver = isRouted ? router : first.pool
  const outputSender = isRouted ? router : last.pool
  const payment = transfers.findLast(
    ({ token, to, amountRaw, logIndex }) =>
      token === first.tokenIn && to === inputReceiver && amountRaw === first.amountInRaw && logIndex < first.logIndex,
  )
  const isPayout = ({ token, from, amountRaw }: Transfer) =>
    token === last.tokenOut && from === outputSender && amountRaw === last.amountOutRaw
  // A pool pays before its event. The router pays after the event of the last pool.
  const payout = isRouted
    ? transfers.find((transfer) => isPayout(transfer) && transfer.logIndex > last.logIndex)
    : transfers.findLast((transfer) => isPayout(transfer) && transfer.logIndex < last.logIndex)
  return { payer: payment?.from ?? first.trader, recipient: payout?.to ?? last.trader }
}
