import { Errors, Network } from '@agio/core'
import { z } from 'zod'
import type { LocalHandler } from '../../settings/LocalHandler.ts'
import type { Tool } from './Tool.ts'

const chainId = z
  .unknown()
  .optional()
  .meta({ override: { type: 'integer' }, description: `Default: ${Network.defaultChainId}` })

const done = z.object({ result: z.looseObject({}) })

/** Creates the tools of a local stack, which need its admin key. */
export function createLocalTools(local: LocalHandler): readonly Tool[] {
  async function post(path: string, fields: object): Promise<object> {
    const run = local(`/local/${path}`)?.POST
    if (!run) throw Errors.pathNotFound(`/local/${path}`)
    return { result: await run({ ...fields }) }
  }
  const fundAccount: Tool = {
    name: 'fund_account',
    description:
      'Gives an account of the local chain test tokens, and gas if it has none. A repeated call gives more. Without `amounts` it gives gas, and returns the unsigned `claim` of the faucet: the account signs it, then call broadcast_signed.',
    isDestructive: true,
    isAdding: true,
    input: z.strictObject({
      address: z.unknown().meta({ override: { type: 'string' } }),
      amounts: z
        .unknown()
        .optional()
        .meta({ override: { type: 'object' }, description: 'By symbol: {"tAUD": "1000"}' }),
      chainId,
    }),
    output: done.extend({ claim: z.looseObject({}).optional() }),
    async run({ input: { amounts, ...account }, callProcedure }) {
      const data = await post('fund', { ...account, amounts: amounts === undefined ? {} : amounts })
      if (amounts !== undefined) return { data, text: 'The account is funded.' }
      const { address: userAddress, chainId: id = Network.defaultChainId } = account
      const claim = await callProcedure('faucet.buildClaimAll', { userAddress, chainId: id })
      return { data: { ...data, claim }, text: 'The account has gas. Sign `claim` for the tokens of the faucet.' }
    },
  }
  const runScenario: Tool = {
    name: 'run_scenario',
    description:
      'Injects a fault into the local stack, such as stale-price, pool-frozen, rpc-down or market-closed, until reset_scenarios. An unknown name lists all. `options` depend on the scenario, such as {"symbol":"tAUD"}.',
    isDestructive: true,
    isAdding: true,
    input: z.strictObject({
      scenario: z.string(),
      options: z.record(z.string(), z.unknown()).optional(),
      chainId,
    }),
    output: done,
    run: async ({ input: { scenario, options, ...fields } }) => {
      const name = encodeURIComponent(String(scenario))
      return { data: await post(`scenarios/${name}`, { ...fields, ...Object(options) }), text: `${name} is active.` }
    },
  }
  const resetScenarios: Tool = {
    name: 'reset_scenarios',
    description: 'Removes every fault of the local stack.',
    isDestructive: true,
    input: z.strictObject({ chainId }),
    output: done,
    run: async ({ input }) => ({ data: await post('scenarios/reset', input), text: 'No fault is active.' }),
  }
  return [fundAccount, runScenario, resetScenarios]
}
