import type { Address } from '@agio/core'
import { oracleAbi } from '../../price/oracleAbi.ts'
import type { Operator } from './createOperator.ts'

/** What an oracle answers: dollars with 8 decimals, and the Unix seconds from which its age counts. */
export async function readRound({ client }: Operator, address: Address): Promise<Round> {
  const [, answer, , updatedAtSeconds] = await client.readContract({
    address,
    abi: oracleAbi,
    functionName: 'latestRoundData',
  })
  return { answer, updatedAtSeconds }
}

export type Round = { readonly answer: bigint; readonly updatedAtSeconds: bigint }
