import type { ConversionReceipt, ReceiptQuote } from '../api/schemas.ts'
import { toExpectedSwap } from '../checks/ExpectedConversion.ts'
import type { AgioQuoteData } from '../quote/AgioQuote.ts'
import * as Decimal from '../quote/Decimal.ts'
import { mismatch } from '../quote/mismatch.ts'
import { listTransfers, sumTransfers } from '../wallet/transfers.ts'
import type { Hex } from '../wallet/Wallet.ts'
import type { NodeReceipt } from '../wallet/WalletSession.ts'
import type { ConversionRun } from './ConversionRun.ts'
import type { Contradiction } from './Step.ts'
import type { SuccessfulReceipt } from './SuccessfulReceipt.ts'

/** A mined transaction of a conversion, as the node has it. */
export type MinedConversion = NodeReceipt & {
  readonly transactionHash: Hex
  /**
   * What the account paid for the conversion, in raw units of the input token: to the called contract, if it paid that
   * contract. A paymaster may take its fee in the same token.
   */
  readonly amountInRaw: bigint
  /** What reached the recipient, in raw units of the output token. */
  readonly amountOutRaw: bigint
}

/** Returns the mined transaction of a conversion, or undefined if the node has not seen it in a block. */
export async function findMined(run: ConversionRun, transactionHash: Hex): Promise<MinedConversion | undefined> {
  const { session, state } = run
  const receipt = await session.findReceipt(transactionHash)
  if (!receipt) return undefined
  const { tokenIn, tokenOut, spender } = state.quote
  const payments = { token: tokenIn.address, from: state.account }
  return {
    ...receipt,
    transactionHash,
    amountInRaw: sumTransfers(receipt, { ...payments, to: spender }) || sumTransfers(receipt, payments),
    amountOutRaw: sumTransfers(receipt, { token: tokenOut.address, to: getRecipient(run) }),
  }
}

/**
 * Asserts that at least the minimum of the quote reached the recipient in a mined transaction.
 *
 * @throws `convert/mismatch` with `amountOut`
 */
export function assertConverted({ state }: ConversionRun, { amountOutRaw }: MinedConversion): void {
  const { leastRaw } = toExpectedSwap(state)
  if (amountOutRaw >= leastRaw) return
  const [expected, actual] = [leastRaw, amountOutRaw].map((raw) => Decimal.format(raw, state.quote.tokenOut.decimals))
  throw mismatch('amountOut', { expected: `at least ${expected}`, actual: `${actual}` })
}

/**
 * Returns whether a mined transaction can have paid for the conversion: one payment of the account is within its limit,
 * and the recipient received at least the minimum. The transaction may move more of both tokens for other reasons.
 */
export function hasPaid({ state }: ConversionRun, mined: MinedConversion): boolean {
  const { capRaw, leastRaw } = toExpectedSwap(state)
  const payments = listTransfers(mined, { token: state.quote.tokenIn.address, from: state.account })
  return (
    mined.isSuccess &&
    mined.amountOutRaw >= leastRaw &&
    payments.some((amountRaw) => amountRaw > 0n && amountRaw <= capRaw)
  )
}

/** Returns the first field in which a receipt of the service contradicts the chain, or undefined. */
export function findContradiction(
  { state }: ConversionRun,
  receipt: ConversionReceipt,
  mined: MinedConversion,
): Contradiction | undefined {
  const facts: readonly (readonly [keyof ConversionReceipt, string, unknown])[] = [
    ['transactionHash', mined.transactionHash, receipt.transactionHash],
    ['status', mined.isSuccess ? 'success' : 'failed', receipt.status],
    ['blockNumber', `${mined.blockNumber}`, receipt.blockNumber],
    ['blockHash', mined.blockHash, receipt.blockHash],
    ...(mined.isSuccess ? listAmounts(state.quote, receipt, mined) : []),
  ]
  const wrong = facts.find(([, expected, actual]) => String(actual).toLowerCase() !== expected.toLowerCase())
  if (!wrong) return undefined
  const [field, expected, actual] = wrong
  return { field, expected, actual: String(actual).slice(0, 100) }
}

function listAmounts({ tokenIn, tokenOut }: AgioQuoteData, receipt: ConversionReceipt, mined: MinedConversion) {
  const toRaw = (amount: unknown, decimals: number) => `${Decimal.parse(amount, decimals)}`
  return [
    ['tokenIn', tokenIn.address, receipt.tokenIn?.address],
    ['tokenOut', tokenOut.address, receipt.tokenOut?.address],
    ['amountIn', `${mined.amountInRaw}`, toRaw(receipt.amountIn, tokenIn.decimals)],
    ['amountOut', `${mined.amountOutRaw}`, toRaw(receipt.amountOut, tokenOut.decimals)],
  ] as const
}

/**
 * Returns the receipt of a successful conversion by the node. The explanation of the service adds the fields that the
 * node does not have, and must not contradict it.
 */
export async function toReceipt(
  run: ConversionRun,
  mined: MinedConversion,
  explanation: ConversionReceipt | undefined,
): Promise<SuccessfulReceipt> {
  const { session, state } = run
  const { quote, account } = state
  const { mode, tokenIn, tokenOut } = quote
  const { transactionHash, blockNumber, blockHash, amountInRaw, amountOutRaw } = mined
  const [block, head] = await Promise.all([session.readHead(blockNumber), session.readHead()])
  return {
    mode,
    ...explanation,
    oracleAt: explanation?.oracleAt ?? 'unavailable',
    transactionHash,
    status: 'success',
    payer: account,
    recipient: getRecipient(run),
    tokenIn,
    tokenOut,
    amountIn: Decimal.format(amountInRaw, tokenIn.decimals),
    amountOut: Decimal.format(amountOutRaw, tokenOut.decimals),
    executedRate: Decimal.formatRate(
      { raw: amountInRaw, decimals: tokenIn.decimals },
      { raw: amountOutRaw, decimals: tokenOut.decimals },
    ),
    blockNumber,
    blockHash,
    blockTimestamp: new Date(block.timestamp * 1000).toISOString(),
    gasUsed: `${mined.gasUsed}`,
    confirmations: Math.max(1, head.number - blockNumber + 1),
    quoted: toReceiptQuote(quote),
    verifiedBy: session.readsFrom,
  }
}

function getRecipient({ state }: ConversionRun): Hex {
  return state.quote.request.recipient ?? state.account
}

function toReceiptQuote(quote: AgioQuoteData): ReceiptQuote {
  const { mode, amountIn, amountOut, minAmountOut, maxAmountIn, expiresAt, blockNumber, blockHash, blockTimestamp } =
    quote
  return {
    mode,
    amountIn,
    amountOut,
    ...(minAmountOut !== undefined && { minAmountOut }),
    ...(maxAmountIn !== undefined && { maxAmountIn }),
    expiresAt,
    blockNumber,
    blockHash,
    blockTimestamp,
  }
}
