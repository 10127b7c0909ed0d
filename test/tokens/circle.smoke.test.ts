import { Network } from '@agio/core'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { kindsOf, requestPlan } from '../approvals/requestPlan.ts'
import { createAgio, type Agio } from '../../packages/sdk/src/index.ts'
import { createFundedWallet } from '../harness/createFundedWallet.ts'
import { fund } from '../harness/createHolder.ts'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { startAgio } from '../harness/startAgio.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { setUp } from '../harness/setUp.ts'
import { deployCircleMarket, type CircleMarket } from './deployCircleMarket.ts'

const stack = setUp(() =>
  startAgio({
    prepare: async ({ chains, deploymentsDir }) => {
      for (const chain of Object.values(chains)) {
        markets[chain.chainId] = await deployCircleMarket(chain, deploymentsDir)
      }
    },
  }),
)
let agio: Agio
const markets = {} as Record<Network.ChainId, CircleMarket>

beforeAll(async () => {
  agio = createAgio({ url: stack.url, apiKey, contracts: Network.map((id) => ({ router: markets[id].router })) })
})

describe.each(Network.chainIds)("tokens like Circle's on chain %i", (chainId) => {
  const pairOf = ({ tokens }: CircleMarket) => ({ chainId, tokenIn: tokens.USDC, tokenOut: tokens.EURC })
  const seen = () => waitForBlock(stack.url, stack.localnet.chains[chainId])

  /** Requests a quote and the conversion of 100 USDC for a wallet, over REST. */
  async function build(userAddress: string, more: object = {}) {
    const call = stack.callers.REST
    const terms = { ...pairOf(markets[chainId]), amountIn: '100', userAddress, ...more }
    const { data, failure } = await call('convert.quote', terms)
    if (failure) return { failure, data: undefined, issues: undefined }
    const answer = await call('transaction.buildConvert', { quote: data?.['quote'], userAddress })
    return { ...answer, issues: data?.['issues'] }
  }

  it('a token that is paused when it is first read has permits once it is not, in the domain of its name', async () => {
    const { router, tokens, domainName, setPaused } = markets[chainId]
    const { address } = await createWallet(markets[chainId])
    const input = { ...pairOf(markets[chainId]), ownerAddress: address, amount: '100', spenderAddress: router }
    const { tokenIn: tokenAddress, tokenOut: _, ...rest } = input
    onTestFinished(() => setPaused(tokens.USDC, false))
    await setPaused(tokens.USDC, true)
    const failure = { code: 'svc/token-paused', token: tokens.USDC }
    const paused = await stack.callers.REST('approval.plan', { ...rest, tokenAddress })
    expect(paused).toMatchObject({ status: 422, failure })
    await setPaused(tokens.USDC, false)
    const { steps } = await requestPlan(stack.callers.REST, { ...rest, tokenAddress })
    expect(kindsOf(steps)).toEqual(['permit'])
    expect(steps[0]?.typedData?.domain).toMatchObject({ name: domainName, version: '2', chainId })
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

  it('a blocked sender is an issue before signing, and the SDK sends nothing', async () => {
    const { tokens, setBlocked } = markets[chainId]
    const wallet = await createFundedWallet(markets as never, { chainId, holding: { USDC: '100' } })
    const quote = await agio.quote({ ...pairOf(markets[chainId]), amountIn: '100' })
    await setBlocked(tokens.USDC, wallet.address, true)
    expectBlocked(await build(wallet.address), [tokens.USDC, wallet.address])
    await expect(agio.convert({ quote, wallet })).rejects.toMatchObject({ code: 'svc/account-blocked' })
    expect(wallet.prompts.map(({ method }) => method)).not.toContain('eth_sendTransaction')
  })

  it('a blocked recipient is an issue before signing', async () => {
    const { tokens, setBlocked } = markets[chainId]
    const [{ address }, { address: recipient }] = [
      await createWallet(markets[chainId]),
      await createWallet(markets[chainId]),
    ]
    await fund(markets[chainId] as never, address, { USDC: '100' })
    await setBlocked(tokens.EURC, recipient, true)
    expectBlocked(await build(address, { recipient }), [tokens.EURC, recipient])
  })

  function expectBlocked({ data, issues }: Awaited<ReturnType<typeof build>>, [token, account]: readonly string[]) {
    const message = `Cannot convert: token ${token} has blocked ${account}`
    const issue = { code: 'svc/account-blocked', message, required: '100.000000', current: '0.000000' }
    expect(issues).toContainEqual(issue)
    expect(data?.['issues']).toContainEqual(issue)
  }

  it('a mined conversion of a blocked account fails with the token and the account', async () => {
    const { tokens, setBlocked } = markets[chainId]
    const wallet = await createWallet(markets[chainId])
    await fund(markets[chainId] as never, wallet.address, { USDC: '100' })
    await setBlocked(tokens.USDC, wallet.address, true)
    const { data } = await build(wallet.address)
    const signedTransaction = await wallet.sign(stack.callers.REST, data as unknown as Unsigned)
    const { data: sent } = await stack.callers.REST('transaction.broadcast', { chainId, signedTransaction })
    const message = `Cannot convert: token ${tokens.USDC} has blocked ${wallet.address}`
    expect(sent).toMatchObject({ status: 'failed', failure: { code: 'svc/account-blocked', message } })
  })

  it('a paused token is an issue, and approvals of it are refused', async () => {
    const { router, tokens, setPaused } = markets[chainId]
    const { address } = await createWallet(markets[chainId])
    await fund(markets[chainId] as never, address, { USDC: '100' })
    onTestFinished(() => setPaused(tokens.EURC, false))
    await setPaused(tokens.EURC, true)
    const { data } = await build(address)
    const message = `Cannot transfer: token ${tokens.EURC} is paused by its issuer`
    expect(data?.['issues']).toContainEqual(expect.objectContaining({ code: 'svc/token-paused', message }))
    const approval = { chainId, tokenAddress: tokens.EURC, spenderAddress: router, amount: '1' }
    const failure = { code: 'svc/token-paused', token: tokens.EURC }
    expect(await stack.callers.REST('approval.build', approval)).toMatchObject({ status: 422, failure })
  })

  it.each(['pool', 'router'] as const)('error: svc/pool-frozen while a token has blocked the %s', async (name) => {
    const { tokens, setBlocked, ...market } = markets[chainId]
    const { address } = await createWallet(markets[chainId])
    await fund(markets[chainId] as never, address, { USDC: '100' })
    onTestFinished(() => setBlocked(tokens.USDC, market[name], false))
    await setBlocked(tokens.USDC, market[name], true)
    await seen()
    const { failure } = await build(address)
    expect(failure).toMatchObject({ code: 'svc/pool-frozen' })
  })
})
