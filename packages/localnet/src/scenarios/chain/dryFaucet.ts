import { Errors } from '@agio/core'
import { faucetAbi, tokenAbi } from '@agio/chain/abi'
import { defineScenario } from '../definition/defineScenario.ts'
import { withdrawUntilReset } from './withdrawUntilReset.ts'

/** Withdraws all tokens from the faucet. */
export const dryFaucet = defineScenario({
  name: 'dry-faucet',
  description: 'The faucet holds no tokens',
  effect: 'svc/faucet-dry for a claim',
  options: {},
  codes: ['svc/faucet-dry'],
  needsMining: true,
  async inject(context) {
    const { chainId, deployment } = context.chain
    const { client } = context.operator
    const { faucet } = deployment
    if (!faucet)
      throw Errors.invalidRequest({ field: 'chainId', value: chainId, reason: `chain ${chainId} has no faucet` })
    for (const token of await client.readContract({ address: faucet, abi: faucetAbi, functionName: 'tokens' })) {
      const read = { address: token, abi: tokenAbi, functionName: 'balanceOf', args: [faucet] } as const
      await withdrawUntilReset(context, { token, holder: faucet, amountRaw: await client.readContract(read) })
    }
  },
})
