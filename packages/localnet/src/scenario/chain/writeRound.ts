import type { Address } from '@agio/core'
import { encodeFunctionData } from 'viem'
import { oracleAbi } from '../../price/oracleAbi.ts'
import type { Operator } from './createOperator.ts'
import type { Round } from './readRound.ts'

/** Lets an oracle answer something else, in its owner's name. */
export async function writeRound(operator: Operator, address: Address, round: Round): Promise<void> {
  const owner = await operator.client.readContract({ address, abi: oracleAbi, functionName: 'owner' })
  const args = [round.answer, round.updatedAtSeconds] as const
  await operator.sendAs(owner, address, encodeFunctionData({ abi: oracleAbi, functionName: 'setRound', args }))
}
