import type { LocalChain } from '@agio/localnet'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { validInputs } from '../harness/validInputs.ts'
import { setPrice } from '../harness/movePrice.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { mineTogether } from '../harness/mineTogether.ts'
import { signConversion } from '../harness/signConversion.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { submitPrice } from './submitPrice.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'

const initial = 65_120_000n
const [dear, dearer] = [70_000_000n, 75_000_000n]

let stack: AgioStack
let chain: LocalChain

beforeAll(async () => {
  stack = await startAgio()
  chain = stack.localnet.chains[84532]
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
})

afterEach(async () => {
  await setPrice(chain, 'tAUD', initial)
  await waitForBlock(stack.url, chain)
})

describe.each(['REST', 'tRPC'] as const)(
  'the analysis of a conversion in a block with price updates (%s)',
  (transport) => {
    it('the analysis takes no price that was set after the conversion in the same block', async () => {
      const { submit, analyse } = await prepare()
      await mineTogether(chain, [submit, submitPrice(chain, 'tAUD', dear)])
      expect(await analyse(transport)).toMatchObject({
        actualAmountOut: '650.874400',
        oracleAmountOut: '651.200000',
        slippage: '0.0000%',
      })
    })

    it('the analysis takes a price that was set before the conversion in the same block', async () => {
      const { submit, analyse } = await prepare()
      await mineTogether(chain, [submitPrice(chain, 'tAUD', dear), submit])
      expect(await analyse(transport)).toMatchObject({ oracleAmountOut: '700.000000', slippage: '0.0000%' })
    })

    it('the analysis takes the price that was set last before the conversion, among several of its block', async () => {
      const { submit, analyse } = await prepare()
      const [before, after] = [submitPrice(chain, 'tAUD', dearer), submitPrice(chain, 'tAUD', initial)]
      await mineTogether(chain, [submitPrice(chain, 'tAUD', dear), before, submit, after])
      expect(await analyse(transport)).toMatchObject({ oracleAmountOut: '750.000000', slippage: '0.0000%' })
    })
  },
)

/** A conversion of 1,000 tAUD that a wallet sends without the service, and its analysis once it is mined. */
async function prepare() {
  const { client } = connectOwner(chain)
  const { signWith } = await signConversion(chain, stack.callers.REST, { minAmountOut: '600' })
  let signedTransaction: Hex
  return {
    async submit(fees: mineTogether.Fees): Promise<Hex> {
      signedTransaction = await signWith(fees)
      return await client.sendRawTransaction({ serializedTransaction: signedTransaction })
    },
    async analyse(transport: 'REST' | 'tRPC') {
      const { tokenIn, tokenOut, amountIn } = validInputs(chain)['convert.preview']
      const conversion = { tokenIn, tokenOut, amountIn, expectedAmountOut: '650.8744' }
      const sent = await stack.callers[transport]('transaction.broadcastConvert', { signedTransaction, ...conversion })
      expect(sent).toMatchObject({ status: 200, data: { status: 'success' } })
      return sent.data?.['convert']
    },
  }
}
