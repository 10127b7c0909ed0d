import { Network } from '@agio/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestPlan } from '../approvals/requestPlan.ts'
import { createAgio, type Agio } from '../../packages/sdk/src/index.ts'
import { createFundedWallet } from '../harness/createFundedWallet.ts'
import { fund } from '../harness/createHolder.ts'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { deployCircleMarket, type CircleMarket } from './deployCircleMarket.ts'

let stack: AgioStack
let agio: Agio
const markets = {} as Record<Network.ChainId, CircleMarket>

beforeAll(async () => {
  stack = await startAgio({
    prepare: async ({ chains, deploymentsDir }) => {
      for (const chain of Object.values(chains)) {
        markets[chain.chainId] = await deployCircleMarket(chain, deploymentsDir)
      }
    },
  })
  agio = createAgio({ url: stack.url, apiKey, contracts: Network.map((id) => ({ router: markets[id].router })) })
})

afterAll(() => stack?.[Symbol.asyncDispose]())

describe.each(Network.chainIds)("tokens like Circle's on chain %i", (chainId) => {
  const pairOf = ({ tokens }: CircleMarket) => ({ chainId, tokenIn: tokens.USDC, tokenOut: tokens.EURC })

  it('the standard flow converts by a permit over REST', async () => {
    const wallet = await createWallet(markets[chainId])
    await fund(markets[chainId] as never, wallet.address, { USDC: '100' })
    const call = stack.callers.REST
    const terms = { ...pairOf(markets[chainId]), amountIn: '100', userAddress: wallet.address }
    const { data: quoted } = await call('convert.quote', terms)
    const { steps } = await requestPlan(call, { quote: quoted?.['quote'], ownerAddress: wallet.address })
    expect(steps[0]?.typedData?.domain).toMatchObject({ name: markets[chainId].domainName, version: '2', chainId })
    const signature = await wallet.signTypedData(steps[0]?.typedData)
    const permit = { ...steps[0]?.permit, signature }
    const input = { quote: quoted?.['quote'], userAddress: wallet.address, permit }
    const { data: built } = await call('transaction.buildConvert', input)
    expect(built).toMatchObject({ issues: [] })
    const signedTransaction = await wallet.sign(call, built as unknown as Unsigned)
    const { data: sent } = await call('transaction.broadcast', { chainId, signedTransaction })
    expect(sent).toMatchObject({ status: 'success' })
  })

  it('the SDK converts in both directions, by one signature and one transaction', async () => {
    const { tokens } = markets[chainId]
    const wallet = await createFundedWallet(markets as never, { chainId, holding: { USDC: '100', EURC: '100' } })
    for (const [tokenIn, tokenOut] of [
      [tokens.USDC, tokens.EURC],
      [tokens.EURC, tokens.USDC],
    ] as const) {
      const quote = await agio.quote({ chainId, tokenIn, tokenOut, amountIn: '100' })
      expect(await agio.convert({ quote, wallet })).toMatchObject({ status: 'success' })
    }
    const methods = wallet.prompts.map(({ method }) => method).slice(1)
    expect(methods).toEqual([
      'eth_signTypedData_v4',
      'eth_sendTransaction',
      'eth_signTypedData_v4',
      'eth_sendTransaction',
    ])
  })
})
