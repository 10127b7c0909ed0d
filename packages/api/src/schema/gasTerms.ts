import type { BuiltConvert } from '@agio/chain'
import { z } from 'zod'
import { integerText } from './fields.ts'

/** How the gas of a conversion was found. */
export const gasEstimateSources = ['estimate-as-if', 'call-as-if', 'estimate', 'upper-bound'] as const

/** The fields of a built conversion for the cost of its gas, besides `gasLimit`. */
export const gasTerms = {
  maxFeePerGas: integerText.meta({ description: 'Recommended maximum fee per gas, in wei', example: '1542026' }),
  maxPriorityFeePerGas: integerText.meta({
    description: 'Recommended maximum priority fee per gas, in wei',
    example: '1000000',
  }),
  gasEstimateSource: z.enum(gasEstimateSources).meta({
    description:
      'How `gasLimit` was found: `estimate-as-if` and `call-as-if` assume sufficient balance and allowance. `estimate` uses the balance and allowance of the wallet. `upper-bound` is a fixed limit for nodes that cannot estimate, and for conversions that would fail now',
    example: 'call-as-if',
  }),
}

/** Returns the gas terms of a built conversion. */
export function toGasTerms({ maxFeePerGas, maxPriorityFeePerGas, gasEstimateSource }: BuiltConvert) {
  return {
    maxFeePerGas: maxFeePerGas.toString(),
    maxPriorityFeePerGas: maxPriorityFeePerGas.toString(),
    gasEstimateSource,
  }
}
