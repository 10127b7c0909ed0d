import { generatePrivateKey } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { createAgio, type AgioQuote, type Step } from '../../packages/sdk/src/index.ts'
import type { Prompt, TestWallet } from '../../packages/sdk/src/testing.ts'
import { createFundedWallet } from '../harness/createFundedWallet.ts'
import { recordSteps } from './recordSteps.ts'
import { pinContracts } from '../harness/pinContracts.ts'
import { agio, chain, chainId, chains, client, otherChainId, service } from './sharedService.ts'

const tokenIn = chain.tokens.tAUD
const tokenOut = chain.tokens.tUSD

const quoteOf = (amountIn: string): Promise<AgioQuote> => agio.quote({ chainId, tokenIn, tokenOut, amountIn })
const countSent = ({ address }: TestWallet) => client.getTransactionCount({ address })
const promptsOf = ({ prompts }: TestWallet) => prompts.map(({ method }) => method).slice(1)
const rejecting =
  (...methods: readonly string[]) =>
  ({ method }: Prompt) =>
    methods.includes(method) ? 'reject' : 'confirm'

describe('a wallet whose user refuses', () => {
  it('a refused batch leads to a permit, and a refused permit to an approval, with `onRefused: approve`', async () => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' }, canBatch: true })
    wallet.answer(rejecting('wallet_sendCalls', 'eth_signTypedData_v4'))
    const options = { quote: await quoteOf('10'), wallet, onRefused: 'approve' } as const
    const { told, receipt, steps } = await recordSteps(agio.convert(options))
    expect(receipt).toMatchObject({ status: 'success' })
    expect(told.filter((text) => text.endsWith('skipped'))).toEqual(['batch skipped', 'permit skipped'])
    expect(steps.find(({ status }) => status === 'skipped')).toMatchObject({ error: { code: 'wallet/rejected' } })
    expect(promptsOf(wallet)).toEqual([
      'wallet_sendCalls',
      'eth_signTypedData_v4',
      'eth_sendTransaction',
      'eth_sendTransaction',
    ])
  })

  it('error: wallet/rejected when the user refuses a batch, and resuming converts by a permit', async () => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' }, canBatch: true })
    wallet.answer(rejecting('wallet_sendCalls'))
    const { steps, error } = await recordSteps(agio.convert({ quote: await quoteOf('10'), wallet }))
    expect(error).toMatchObject({ code: 'wallet/rejected', action: 'retry' })
    expect(steps.at(-1)).toMatchObject({ kind: 'batch', status: 'failed' })
    expect(await agio.resume(steps.at(-1) as Step, { wallet })).toMatchObject({ status: 'success' })
    expect(promptsOf(wallet)).toEqual(['wallet_sendCalls', 'eth_signTypedData_v4', 'eth_sendTransaction'])
  })

  it.each([
    ['the conversion', 'shortest', 'convert', 1],
    ['the approval', 'approve', 'approve', 0],
  ] as const)(
    'error: wallet/rejected when the user refuses %s, and resuming asks for it again',
    async (_, approval, kind, signed) => {
      const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' } })
      wallet.answer(rejecting('eth_sendTransaction'))
      const { steps, error } = await recordSteps(agio.convert({ quote: await quoteOf('10'), wallet, approval }))
      expect(error).toMatchObject({ name: 'AgioError', code: 'wallet/rejected', retryable: true })
      expect(steps.at(-1)).toMatchObject({ kind, status: 'failed', error: { code: 'wallet/rejected' } })
      expect(await countSent(wallet)).toBe(0)

      wallet.answer('confirm')
      const receipt = await agio.resume(steps.at(-1) as Step, { wallet, approval })
      expect(receipt).toMatchObject({ status: 'success', amountIn: '10.000000' })
      // The wallet is not asked again for an existing signature.
      expect(promptsOf(wallet).filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(signed)
    },
  )

  it('error: wallet/rejected when the user refuses to switch the chain', async () => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' } })
    wallet.setChain(otherChainId)
    wallet.answer(rejecting('wallet_switchEthereumChain'))
    const { steps, error } = await recordSteps(agio.convert({ quote: await quoteOf('10'), wallet }))
    expect(error).toMatchObject({ code: 'wallet/rejected', details: { method: 'wallet_switchEthereumChain' } })
    expect(steps.at(-1)).toMatchObject({ kind: 'switch-chain', status: 'failed', from: otherChainId, to: chainId })
  })
})

describe('a wallet that changes meanwhile', () => {
  it('error: wallet/account-changed when the user chooses another account before the conversion, and nothing is sent', async () => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' } })
    const { address } = wallet
    const conversion = agio.convert({
      quote: await quoteOf('10'),
      wallet,
      onStep: ({ kind, status }) => {
        if (kind === 'permit' && status === 'done') wallet.setAccount(generatePrivateKey())
      },
    })
    const { error, steps } = await recordSteps(conversion)
    expect(error).toMatchObject({
      code: 'wallet/account-changed',
      details: { expected: address, actual: wallet.address },
    })
    expect(promptsOf(wallet)).toEqual(['eth_signTypedData_v4'])
    expect(steps.at(-1)?.state.pending).toBeUndefined()
  })

  it('error: wallet/wrong-chain when the user chooses another chain while the step is stored, and nothing is sent', async () => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' } })
    const conversion = agio.convert({
      quote: await quoteOf('10'),
      wallet,
      onStep: ({ kind, status }) => {
        if (kind === 'convert' && status === 'waiting-for-wallet') wallet.setChain(otherChainId)
      },
    })
    const { error, steps } = await recordSteps(conversion)
    expect(error).toMatchObject({ code: 'wallet/wrong-chain', details: { expected: chainId, actual: otherChainId } })
    expect(promptsOf(wallet)).toEqual(['eth_signTypedData_v4'])
    expect(steps.at(-1)).toMatchObject({ kind: 'convert', status: 'failed' })

    const receipt = await agio.resume(steps.at(-1) as Step, { wallet })
    expect(receipt).toMatchObject({ status: 'success' })
    expect(wallet.chainId).toBe(chainId)
  })

  it('a conversion that is sent goes on to its receipt by the configured node while the wallet is elsewhere', async () => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' } })
    const nodes = { [chainId]: chain.rpcUrl }
    const receipt = await createAgio({ ...service, contracts: pinContracts(chains), nodes }).convert({
      quote: await quoteOf('10'),
      wallet,
      onStep: ({ kind, status }) => {
        if (kind !== 'convert' || status !== 'sent') return
        wallet.setChain(otherChainId)
        wallet.setAccount(generatePrivateKey())
      },
    })
    expect(receipt).toMatchObject({ status: 'success', verifiedBy: 'node' })
  })
})

describe('a conversion that cannot succeed', () => {
  it('error: wallet/rejected when the user does not let the page see the account, told by a step that can be resumed', async () => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' } })
    wallet.answer(() => 'reject')
    const stored: Step[] = []
    const onStep = (step: Step) => void stored.push(step)
    const { error, steps } = await recordSteps(agio.convert({ quote: await quoteOf('10'), wallet, onStep }))
    expect(error).toMatchObject({
      code: 'wallet/rejected',
      action: 'retry',
      details: { method: 'eth_requestAccounts' },
    })
    expect(steps).toMatchObject([{ kind: 'quote', status: 'failed', error: { code: 'wallet/rejected' } }])
    expect(stored).toMatchObject(steps)
    wallet.answer('confirm')
    expect(await agio.resume(steps[0] as Step, { wallet })).toMatchObject({ status: 'success', payer: wallet.address })
  })

  it('error: an action resume when the wallet is closed to the page while the conversion is on its way', async () => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' } })
    const { steps, receipt } = await recordSteps(agio.convert({ quote: await quoteOf('10'), wallet }))
    const step = steps.find(({ kind, status }) => kind === 'convert' && status === 'sent') as Step
    const closed = { request: () => Promise.reject(Object.assign(new Error('Locked'), { code: 4001 })) }
    const { error, steps: told } = await recordSteps(agio.resume(step, { wallet: closed }))
    const failed = { code: 'wallet/rejected', action: 'resume', retryable: false }
    expect(error).toMatchObject(failed)
    expect(told).toMatchObject([{ conversionId: step.conversionId, status: 'failed', error: failed }])
    expect(await agio.resume(told[0] as Step, { wallet })).toMatchObject({ transactionHash: receipt?.transactionHash })
  })

  it.each([
    ['no quote', () => undefined, 'it is missing'],
    ['a promise of a quote', () => quoteOf('10'), 'it is a promise'],
    ['a quote of the API', async () => ({ ...(await quoteOf('10')), request: undefined }), 'it has no request'],
    [
      'a quote between two blocks',
      async () => ({ ...(await quoteOf('10')), blockNumber: 54.5 }),
      'its blockNumber is not',
    ],
    ['half a quote', async () => ({ ...(await quoteOf('10')), tokenIn: undefined }), 'it has no tokenIn'],
  ])('error: TypeError at once for %s', async (name, create, flaw) => {
    const wallet = await createFundedWallet(chains, { chainId })
    const quote = (name === 'a promise of a quote' ? create() : await create()) as AgioQuote
    expect(() => agio.convert({ quote, wallet })).toThrow(`Cannot use the quote: ${flaw}`)
  })
  it('error: svc/insufficient-balance before the wallet is asked for anything', async () => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '5' } })
    const { error, steps } = await recordSteps(
      agio.convert({ quote: await quoteOf('10'), wallet, approval: 'approve' }),
    )
    expect(error).toMatchObject({ code: 'svc/insufficient-balance', action: 'fund', details: { current: '5.000000' } })
    expect(steps.at(-1)).toMatchObject({ kind: 'convert', status: 'failed' })
    expect(promptsOf(wallet)).toEqual([])
  })

  it('what `onStep` throws ends the conversion before the wallet is asked', async () => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' } })
    const full = new Error('The storage is full')
    const conversion = agio.convert({
      quote: await quoteOf('10'),
      wallet,
      onStep: async ({ status }) => {
        if (status === 'waiting-for-wallet') throw full
      },
    })
    expect((await recordSteps(conversion)).error).toBe(full)
    expect(promptsOf(wallet)).toEqual([])
  })

  it('what `onStep` throws at the last step does not hide what the conversion came to', async () => {
    const onStep = ({ kind, status }: Step) => {
      if (status === 'failed' || (kind === 'confirm' && status === 'done')) throw new Error('The storage is full')
    }
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '10' } })
    expect(await agio.convert({ quote: await quoteOf('10'), wallet, onStep })).toMatchObject({ status: 'success' })
    const { error } = await recordSteps(agio.convert({ quote: await quoteOf('10'), wallet, onStep }))
    expect(error).toMatchObject({ code: 'svc/insufficient-balance' })
  })

  it('error: network/invalid-response for a failing `getApiKey` after the wallet has sent says to resume', async () => {
    const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' } })
    const failure = new TypeError('The session has expired')
    let hasKey = true
    const getApiKey = () => {
      if (hasKey) return service.apiKey
      throw failure
    }
    const client = createAgio({ url: service.url, getApiKey, contracts: pinContracts(chains) })
    const onStep = ({ kind, status }: Step) => void (hasKey &&= kind !== 'convert' || status !== 'sent')
    const options = { quote: await quoteOf('10'), wallet, onStep, approval: 'approve' } as const
    const { error, steps } = await recordSteps(client.convert(options))
    const advice = { code: 'network/invalid-response', action: 'resume', details: { url: service.url } }
    expect(error).toMatchObject({ ...advice, cause: failure })
    expect(steps.at(-1)).toMatchObject({ status: 'failed', error: advice })
    hasKey = true
    expect(await client.resume(steps.at(-1) as Step, { wallet })).toMatchObject({ status: 'success' })
  })
})
