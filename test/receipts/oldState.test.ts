import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { Address } from 'viem'
import { beforeAll, expect, it } from 'vitest'
import type { LocalChain } from '@agio/localnet'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { answerEachCall, type NodeCall } from '../harness/answerEachCall.ts'
import { startProxiedStack } from '../harness/startProxiedStack.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { encodeSwap, fund, sendAs } from '../harness/swaps.ts'
import { setUp } from '../harness/setUp.ts'

const stack = setUp(startProxiedStack)
let chain: LocalChain
let owner: Owner
let user: Address

beforeAll(async () => {
  chain = stack.localnet.chains[84532]
  owner = connectOwner(chain)
  user = privateKeyToAddress(generatePrivateKey())
  await fund(chain, user)
})

it.each(['the block', 'the block before'] as const)(
  'a receipt says that the prices are unavailable where no node has the state of %s, and has all that needs none',
  async (missing) => {
    const swap = encodeSwap(chain, { from: 'tAUD', to: 'tUSD', amountInRaw: 1_000_000_000n })
    const transactionHash = await sendAs(chain, user, swap)
    const { blockHash } = await owner.client.getTransactionReceipt({ hash: transactionHash })
    const { parentHash } = await owner.client.getBlock({ blockHash })
    await forgetStates()
    const lost = missing === 'the block' ? blockHash : parentHash
    const message = `missing trie node (path ) state ${lost} is not available`
    const isLost = ({ method, params }: NodeCall) => method === 'eth_call' && JSON.stringify(params).includes(lost)
    stack.proxies[84532].setAnswer(
      answerEachCall(chain.rpcUrl, async (call, callNode) =>
        isLost(call) ? { id: call.id, error: { code: -32000, message } } : await callNode(call),
      ),
    )
    const read = async () => (await stack.callers.REST('convert.receipt', { chainId: 84532, transactionHash })).data
    const receipt = await read()
    stack.proxies[84532].reset()
    expect(receipt).toMatchObject({
      status: 'success',
      mode: 'exact-in',
      payer: user,
      recipient: user,
      amountIn: '1000.000000',
      amountOut: '650.874400',
      executedRate: '0.65087440',
      oracleAt: 'unavailable',
      confirmations: 3,
    })
    for (const field of ['oracleAmountOut', 'parts', 'oracleRate', 'slippage', 'routeFeeRate']) {
      expect(receipt).not.toHaveProperty(field)
    }
    expect(await read()).toMatchObject({ oracleAt: 'execution', parts: { fee: '0.325600' } })
  },
)

/** Makes the service read the states of two newer blocks, since it keeps the last two that it has read. */
async function forgetStates(): Promise<void> {
  for (const amountIn of ['1', '2']) {
    await owner.client.mine({ blocks: 1 })
    await waitForBlock(stack.url, chain)
    const pair = { tokenIn: chain.tokens.tAUD, tokenOut: chain.tokens.tUSD }
    expect(await stack.callers.REST('convert.preview', { ...pair, amountIn })).toMatchObject({ status: 200 })
  }
}
