import type { LocalChain } from '@agio/localnet'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { validInputs } from '../harness/validInputs.ts'
import { placeRefuser, removeCodeHash, type Refuser } from './placeRefuser.ts'
import { signConversion } from '../harness/signConversion.ts'
import { startProxiedStack, type ProxiedStack } from '../harness/startProxiedStack.ts'
import type { Proxy } from '../harness/startProxy.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { kinds } from './kinds.ts'
import { simulateFirst } from './simulateFirst.ts'

const view = 'viewOriginSwap(address,address,uint256)'
const swap = 'originSwap(address,address,uint256,uint256,uint256)'
const transports = ['REST', 'tRPC'] as const

let stack: ProxiedStack
let chain: LocalChain
let proxy: Proxy
let pool: Refuser

beforeAll(async () => {
  stack = await startProxiedStack({
    prepare: async (localnet) => {
      chain = localnet.chains[84532]
      await removeCodeHash(localnet, chain, chain.pools['tAUD/tUSD'])
      pool = await placeRefuser(chain, chain.pools['tAUD/tUSD'])
      // The service compares a pool with our maths once: one whose view reverts by then is priced on chain.
      await pool.refuse(view, '0x')
      return {}
    },
  })
  proxy = stack.proxies[84532]
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
})

describe('a pool whose view reverts', () => {
  afterAll(async () => {
    await pool.allow(view)
    await waitForBlock(stack.url, chain)
  })

  it.each(kinds)(
    'a preview explains a pool whose view reverts with $kind',
    async ({ data, code, details, message }) => {
      await pool.refuse(view, data)
      await waitForBlock(stack.url, chain)
      for (const transport of transports) {
        const answer = await stack.callers[transport]('convert.preview', validInputs(chain)['convert.preview'])
        expect(answer).toMatchObject({
          status: 422,
          failure: { code, error: expect.stringMatching(message), ...details },
        })
      }
    },
  )
})

describe.each(kinds)('a pool that reverts with $kind', ({ kind, data, code, details, revert, message }) => {
  let signedTransaction: Hex

  beforeAll(async () => {
    signedTransaction = (await signConversion(chain, stack.callers.REST)).signedTransaction
    await pool.refuse(swap, data)
  })

  afterAll(async () => {
    await pool.allow(swap)
  })

  it.each(transports)(
    `build explains a pool that reverts with ${kind}, by its gas estimate (%s)`,
    async (transport) => {
      const answer = await stack.callers[transport](
        'transaction.buildConvert',
        validInputs(chain)['transaction.buildConvert'],
      )
      expect(answer).toMatchObject({
        status: 422,
        failure: { code, error: expect.stringMatching(message), ...details },
      })
    },
  )

  it.each(transports)(
    `broadcast explains a pool that reverts with ${kind}, by the error of the node (%s)`,
    async (transport) => {
      proxy.setAnswer(simulateFirst(chain.rpcUrl))
      onTestFinished(proxy.reset)
      for (const [operation, rest] of broadcasts()) {
        const answer = await stack.callers[transport](operation, { signedTransaction, ...rest })
        expect(answer).toMatchObject({
          status: 422,
          failure: { code, error: expect.stringMatching(message), ...details },
        })
      }
    },
  )

  it.each(transports)(
    `broadcast and status explain a mined revert with ${kind}, by its replay (%s)`,
    async (transport) => {
      const call = stack.callers[transport]
      const failure = { code, message: expect.stringMatching(message), revert }
      for (const [operation, rest] of broadcasts()) {
        const answer = await call(operation, { signedTransaction, ...rest })
        expect(answer).toMatchObject({ status: 200, data: { status: 'failed', failure } })
        const { transactionHash } = answer.data ?? {}
        const found = await call('transaction.status', { transactionHash })
        expect(found).toMatchObject({ status: 200, data: { status: 'failed', failure } })
      }
    },
  )
})

function broadcasts() {
  const { tokenIn, tokenOut, amountIn } = validInputs(chain)['convert.preview']
  return [
    ['transaction.broadcast', {}],
    ['transaction.broadcastConvert', { tokenIn, tokenOut, amountIn, expectedAmountOut: '650.8744' }],
  ] as const
}
