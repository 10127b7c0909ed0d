import { faucetAbi, tokenAbi } from '@agio/chain/abi'
import { defineScenario } from '../defineScenario.ts'
import { invalidOption } from '../options/invalidOption.ts'
import { takeTokens } from './takeTokens.ts'

/** Takes all tokens out of the faucet. */
export const dryFaucet = defineScenario({
  name: 'dry-faucet',
  description: 'The faucet has run out of its tokens',
  options: {},
  codes: ['svc/faucet-dry'],
  needsMining: true,
  async put(stage) {
    const { chainId, deployment } = stage.chain
    const { client } = stage.operator
    const { faucet } = deployment
    if (!faucet) throw invalidOption('chainId', chainId, `chain ${chainId} has no faucet`)
    for (const token of await client.readContract({ address: faucet, abi: faucetAbi, functionName: 'tokens' })) {
      const read = { address: token, abi: tokenAbi, functionName: 'balanceOf', args: [faucet] } as const
      await takeTokens(stage, { token, holder: faucet, amountRaw: await client.readContract(read) })
    }
  },
})
