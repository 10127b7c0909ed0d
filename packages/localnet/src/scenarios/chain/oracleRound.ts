import type { Address } from '@agio/core'
import { encodeFunctionData } from 'viem'
import { oracleAbi } from '../../price/oracleAbi.ts'
import type { ChainOperator } from '../node/createChainOperator.ts'

/** An oracle's latest answer in dollars with 8 decimals, and the Unix seconds of its update. */
export type Round = { readonly answer: bigint; readonly updatedAtSeconds: bigint }

/** Reads the latest round of an oracle. */
export async function readRound({ client }: ChainOperator, address: Address): Promise<Round> {
  const [, answer, , updatedAtSeconds] = await client.readContract({
    address,
    abi: oracleAbi,
    functionName: 'latestRoundData',
  })
  return { answer, updatedAtSeconds }
}

/** Sets the round of an oracle, as its owner. */
export async function writeRound(operator: ChainOperator, address: Address, round: Round): Promise<void> {
  const owner = await operator.client.readContract({ address, abi: oracleAbi, functionName: 'owner' })
  const args = [round.answer, round.updatedAtSeconds] as const
  await operator.sendAs(owner, address, encodeFunctionData({ abi: oracleAbi, functionName: 'setRound', args }))
}
