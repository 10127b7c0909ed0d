import { permit2Address } from '@agio/chain'
import type { Address } from '@agio/core'
import { decodeFunctionData, type Hex } from 'viem'
import { parseConversionCall } from '../../../packages/chain/src/call/decodeConversionCall.ts'
import { executeAbi } from '../../harness/swaps.ts'
import type { SignedTypedData } from './accounts.ts'

/** What an application accepted: the limits of its request and of the quote, in raw units of the tokens on chain. */
export type Accepted = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly recipient: Address
  readonly maxInRaw: bigint
  readonly minOutRaw: bigint
}

// Ten minutes is the longest validity of a quote. The clock of a run may be four minutes ahead.
const maxDeadlineSeconds = 900

/** Lists in what typed data differs from what was accepted. A signature counts as given. */
export function checkSignature(
  { domain, primaryType, message }: SignedTypedData,
  { accepted, chainId, isVouched }: checkSignature.Options,
): readonly string[] {
  if (!accepted) return ['2: typed data was signed without an accepted quote']
  const isPermit = primaryType === 'Permit'
  if (!isPermit && primaryType !== 'PermitWitnessTransferFrom') return [`2: a signature of ${primaryType}`]
  const { token, amount } = (message['permitted'] ?? {}) as { readonly token?: string; readonly amount?: string }
  const witness = (message['witness'] ?? {}) as Readonly<Record<string, unknown>>
  const leastRaw = BigInt((witness['minTargetAmount'] ?? witness['targetAmount'] ?? 0) as string)
  return listFalse([2, `a signed ${primaryType}`], {
    chain: Number(domain['chainId']) === chainId,
    contract: isSame(domain['verifyingContract'], isPermit ? accepted.tokenIn : permit2Address),
    token: isPermit || isSame(token, accepted.tokenIn),
    spender: isVouched(message['spender']),
    amount: BigInt((isPermit ? message['value'] : amount) as string) <= accepted.maxInRaw,
    minimum: isPermit || leastRaw >= accepted.minOutRaw,
    recipient: isPermit || isSame(witness['recipient'], accepted.recipient),
    deadline: isSoon(message['deadline']),
  })
}

export declare namespace checkSignature {
  type Options = {
    readonly accepted: Accepted | undefined
    readonly chainId: number
    readonly isVouched: (spender: unknown) => boolean
  }
}

/** Lists in what the conversions of a transaction differ from what was accepted. The market may move before they are mined. */
export function checkCalls(input: Hex, accepted: Accepted | undefined): readonly string[] {
  return listCalls(input).flatMap((data) => {
    const call = parseConversionCall(data)
    if (!call) return []
    if (!accepted) return ['1: a conversion was sent without an accepted quote']
    const isExactIn = call.mode === 'exact-in'
    return listFalse([1, 'a sent conversion'], {
      maximum: (isExactIn ? call.amountInRaw : call.maxAmountInRaw) <= accepted.maxInRaw,
      minimum: (isExactIn ? call.minAmountOutRaw : call.amountOutRaw) >= accepted.minOutRaw,
      deadline: isSoon(call.deadlineSeconds),
    })
  })
}

/** Lists the calls of a transaction: those of a batch, or the transaction itself. */
function listCalls(input: Hex): readonly Hex[] {
  try {
    const [calls] = decodeFunctionData({ abi: executeAbi, data: input }).args
    return calls.map(({ data }) => data)
  } catch {
    return [input]
  }
}

function isSoon(seconds: unknown): boolean {
  return Number(seconds) <= Date.now() / 1000 + maxDeadlineSeconds
}

function listFalse(
  [promise, subject]: readonly [number, string],
  facts: Readonly<Record<string, boolean>>,
): readonly string[] {
  return Object.entries(facts).flatMap(([fact, holds]) => (holds ? [] : [`${promise}: the ${fact} of ${subject}`]))
}

/** Returns whether two texts are equal in any letter case. */
export function isSame(left: unknown, right: unknown): boolean {
  return typeof left === 'string' && typeof right === 'string' && left.toLowerCase() === right.toLowerCase()
}
