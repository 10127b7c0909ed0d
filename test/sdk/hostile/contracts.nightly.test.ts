import { describe, expect, it } from 'vitest'
import {
  createAgio,
  type AgioOptions,
  type Eip1193Provider,
  type QuoteRequest,
} from '../../../packages/sdk/src/index.ts'
import { localContracts } from '../../../packages/sdk/src/testing.ts'
import { createFundedWallet } from '../../harness/createFundedWallet.ts'
import { recordSteps } from '../recordSteps.ts'
import { changeData, createTamperingFetch, type Changes, type Json } from './createTamperingFetch.ts'
import {
  attacker,
  chain,
  chainId,
  chains,
  client,
  createLocalWallet,
  createVictim,
  service,
  toRequest,
} from './startVictim.ts'

const { router, factory, pools } = chain.deployment
const [audPool, eurPool] = [chain.pools['tAUD/tUSD'], chain.pools['tEUR/tUSD']]

type Victim = Pick<AgioOptions, 'contracts' | 'nodes'> & { readonly changes?: Changes }

function connect({ changes = {}, ...options }: Victim) {
  return createAgio({ ...service, fetch: createTamperingFetch(changes), ...options })
}

const changeQuote = (change: (quote: Json) => object): Changes => ({
  'convert.quote': changeData((quote: Json) => ({ ...quote, ...change(quote) })),
})

/** Converts with a wallet that confirms everything, and returns the error and the prompts. */
async function convert(victim: Victim, request: QuoteRequest = toRequest()) {
  const agio = connect(victim)
  const wallet = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' } })
  const quote = await agio.quote(request)
  const { error, receipt } = await recordSteps(agio.convert({ quote, wallet }))
  return { quote, error, receipt, prompts: wallet.prompts.map(({ method }) => method) }
}

describe('a client without contracts for a chain', () => {
  it.each([undefined, {}, { 421614: { router } }])(
    'error: convert/unpinned-contracts with %j, before a prompt',
    async (contracts) => {
      const { error, prompts } = await convert({ contracts })
      expect(error).toMatchObject({ code: 'convert/unpinned-contracts', details: { chainId } })
      expect(prompts).toEqual([])
    },
  )

  it('converts if it trusts the contracts of the service', async () => {
    expect((await convert({ contracts: 'service' })).receipt).toMatchObject({ status: 'success' })
  })

  it('error: convert/mismatch with spender for an account without code, although it trusts the service', async () => {
    const { error } = await convert({ contracts: 'service', changes: changeQuote(() => ({ spender: attacker })) })
    expect(error).toMatchObject({ code: 'convert/mismatch', details: { field: 'spender', expected: 'a contract' } })
  })
})

describe('a client with contracts', () => {
  it.each([
    ['the router', { router }],
    ['tokens', { router, tokens: { [chain.tokens.tAUD]: 6, [chain.tokens.tUSD]: 6 } }],
  ])('converts with %s', async (_, pins) => {
    expect((await convert({ contracts: { [chainId]: pins } })).receipt).toMatchObject({ status: 'success' })
  })

  it.each([
    ['spender', { router, pools }, () => ({ spender: attacker })],
    ['spender', { router, factory }, () => ({ spender: attacker })],
    ['spender', { router }, ({ route }: Json) => ({ spender: route[0].address })],
    ['tokenOut', { router, tokens: { [chain.tokens.tAUD]: 6 } }, () => ({})],
    ['tokenOut.decimals', { router, tokens: { [chain.tokens.tAUD]: 6, [chain.tokens.tUSD]: 2 } }, () => ({})],
  ])('error: convert/mismatch with %s of a quote that %j do not allow', async (field, pins, change) => {
    const agio = connect({ contracts: { [chainId]: pins }, changes: changeQuote(change) })
    await expect(agio.quote(toRequest())).rejects.toMatchObject({ code: 'convert/mismatch', details: { field } })
  })

  it('error: convert/mismatch with spender for a pool of other tokens, before a prompt for money', async () => {
    const changes = changeQuote(({ route }: Json) => ({ spender: eurPool, route: [{ ...route[0], address: eurPool }] }))
    const { error, prompts } = await convert({ contracts: { [chainId]: { router, factory } }, changes })
    expect(error).toMatchObject({ code: 'convert/mismatch', details: { field: 'spender', actual: eurPool } })
    expect(prompts).toEqual(['eth_requestAccounts'])
  })

  it('accepts a pool of the factory as the spender, and refuses a transaction to the router', async () => {
    const changes = changeQuote(({ route }: Json) => ({ spender: route[0].address }))
    const { error } = await convert({ contracts: { [chainId]: { router, factory } }, changes })
    expect(error).toMatchObject({ code: 'convert/mismatch', details: { field: 'to', expected: audPool } })
  })

  it('error: convert/mismatch with contracts.factory if the router uses another factory', async () => {
    const { error, prompts } = await convert({ contracts: { [chainId]: { router, factory: audPool } } })
    expect(error).toMatchObject({
      code: 'convert/mismatch',
      details: { field: 'contracts.factory', actual: factory?.toLowerCase() },
    })
    expect(prompts).toEqual(['eth_requestAccounts'])
  })
})

it.each<[string, (quote: Json) => object]>([
  ['tokenIn.decimals', ({ tokenIn }) => ({ tokenIn: { ...tokenIn, decimals: 18 } })],
  [
    'tokenOut.decimals',
    ({ tokenOut }) => ({ tokenOut: { ...tokenOut, decimals: 2 }, amountOut: '9.00', minAmountOut: '9.00' }),
  ],
])(
  'error: convert/mismatch with %s of a quote that differ from the token, and nothing is signed',
  async (field, change) => {
    const victim = createVictim(changeQuote(change))
    const wallet = await createLocalWallet('tUSD')
    const { error } = await recordSteps(victim.convert({ quote: await victim.quote(toRequest('tUSD')), wallet }))
    expect(error).toMatchObject({ code: 'convert/mismatch', details: { field, expected: '6' } })
    expect(await client.getTransactionCount({ address: wallet.account.address })).toBe(0)
  },
)

it.each([84532, 421614] as const)('`localContracts` are the contracts of the local chain %i', (id) => {
  const { deployment } = chains[id]
  const deployed = { router: deployment.router, factory: deployment.factory, pools: deployment.pools }
  expect(localContracts[id]).toEqual(deployed)
})

describe('a client with a node of its own', () => {
  const contracts = { [chainId]: { router, factory } }

  it('converts with a wallet that does not pass calls to its node, and the node verifies the receipt', async () => {
    const agio = connect({ contracts, nodes: { [chainId]: chain.rpcUrl } })
    const { wallet } = await createUnable()
    const receipt = await agio.convert({ quote: await agio.quote(toRequest()), wallet })
    expect(receipt).toMatchObject({ status: 'success', verifiedBy: 'node' })
  })

  it('error: wallet/cannot-read without a node for a wallet that refuses eth_call, before it is asked to sign', async () => {
    const agio = connect({ contracts })
    const { wallet, able } = await createUnable()
    const { error } = await recordSteps(agio.convert({ quote: await agio.quote(toRequest()), wallet }))
    expect(error).toMatchObject({ code: 'wallet/cannot-read', action: 'fix_input', details: { method: 'eth_call' } })
    expect(able.prompts.map(({ method }) => method)).toEqual(['eth_requestAccounts'])
  })

  it('error: wallet/cannot-read for a node of another chain', async () => {
    const { error } = await convert({ contracts, nodes: { [chainId]: chains[421614].rpcUrl } })
    expect(error).toMatchObject({ code: 'wallet/cannot-read', details: { method: 'eth_chainId' } })
  })

  it.each([
    ['a remote node over http:', 'http://node.example', 'it is not encrypted'],
    ['a node that is not a URL', 'node.example', 'it is not an http: or https: URL'],
    ['a node that is not a provider', {} as never, 'it is neither a URL nor a provider'],
  ])('error: TypeError at once for %s', (_, node, flaw) => {
    expect(() => connect({ nodes: { [chainId]: node } })).toThrow(`Cannot use nodes.${chainId}: ${flaw}`)
  })
})

/** Creates a wallet that does not pass calls to its node. */
async function createUnable() {
  const able = await createFundedWallet(chains, { chainId, holding: { tAUD: '100' } })
  const wallet: Eip1193Provider = {
    async request(args) {
      if (args.method !== 'eth_call') return await able.request(args)
      throw Object.assign(new Error('The method is not supported'), { code: 4200 })
    },
  }
  return { able, wallet }
}
