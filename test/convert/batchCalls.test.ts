import { createChain, type BatchCall, type Chain, type ConversionAmounts } from '@agio/chain'
import { tokenAbi } from '@agio/chain/abi'
import type { Address, Token } from '@agio/core'
import type { LocalChain, Localnet } from '@agio/localnet'
import { decodeFunctionData, encodeFunctionData, erc20Abi, getAddress, type Hex, type PrivateKeyAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyOverrides, hideStorage } from '../harness/overrides.ts'
import { executeBy } from '../harness/swaps.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { startProxy } from '../harness/startProxy.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { waitForSuccess, writeContract } from '../harness/writeContract.ts'

const deadlineSeconds = 4_102_444_800n
const amountRaw = 100_000_000n

type TokenSymbol = 'tUSD' | 'tAUD' | 'tEUR'

/** How a node lets the service estimate, and the source of the estimates by it for a wallet without an allowance. */
const nodes = {
  'takes overrides for calls': { source: 'call-as-if', answer: undefined },
  'takes overrides for estimates': { source: 'estimate-as-if', answer: applyOverrides },
  'hides the storage of tokens': { source: 'call-as-if', answer: hideStorage },
} as const
type Node = keyof typeof nodes

// The local node adds 20 % to its own estimates, and a call after an approval has the gas of the approval.
const excess = { 'call-as-if': 1.7, 'estimate-as-if': 1.92, estimate: 1.92 } as const

const amounts = {
  'exact-in': { mode: 'exact-in', amountInRaw: amountRaw, minAmountOutRaw: 1n },
  'exact-out': { mode: 'exact-out', maxAmountInRaw: 3n * amountRaw, amountOutRaw: amountRaw },
} as const satisfies Record<string, ConversionAmounts>

const mostRaw = { 'exact-in': amountRaw, 'exact-out': 3n * amountRaw } as const

let localnet: Localnet
let local: LocalChain
let owner: Owner
const running = new AsyncDisposableStack()
const chains = {} as Record<Node, Chain>

beforeAll(async () => {
  localnet = running.use(await startTestLocalnet({ blockIntervalMs: 3_600_000 }))
  local = localnet.chains[84532]
  owner = connectOwner(local)
  for (const name of Object.keys(nodes) as Node[]) {
    const { answer } = nodes[name]
    const proxy = await startProxy(local.rpcUrl)
    running.defer(() => proxy.close())
    if (answer) proxy.setAnswer(answer(local.rpcUrl))
    chains[name] = createChain({ deployment: local.deployment, urls: [proxy.url] })
    running.defer(() => chains[name].stop())
  }
})

afterAll(async () => {
  await running.disposeAsync()
})

describe.each(Object.keys(nodes) as Node[])('a batch over a node that %s', (node) => {
  const cases = [
    {
      has: 'no allowance',
      allowanceRaw: 0n,
      from: 'tAUD',
      to: 'tUSD',
      mode: 'exact-in',
      kinds: ['approve', 'convert'],
    },
    {
      has: 'no allowance',
      allowanceRaw: 0n,
      from: 'tUSD',
      to: 'tEUR',
      mode: 'exact-out',
      kinds: ['approve', 'convert'],
    },
    {
      has: 'no allowance',
      allowanceRaw: 0n,
      from: 'tEUR',
      to: 'tAUD',
      mode: 'exact-in',
      kinds: ['approve', 'convert'],
    },
    {
      has: 'too low an allowance',
      allowanceRaw: 5n,
      from: 'tAUD',
      to: 'tEUR',
      mode: 'exact-out',
      kinds: ['approve', 'convert'],
    },
    {
      has: 'an allowance to reset first',
      allowanceRaw: 5n,
      from: 'tEUR',
      to: 'tUSD',
      mode: 'exact-in',
      kinds: ['reset', 'approve', 'convert'],
    },
    {
      has: 'an allowance to reset first',
      allowanceRaw: 5n,
      from: 'tEUR',
      to: 'tAUD',
      mode: 'exact-out',
      kinds: ['reset', 'approve', 'convert'],
    },
    {
      has: 'enough allowance',
      allowanceRaw: 3n * amountRaw,
      from: 'tEUR',
      to: 'tUSD',
      mode: 'exact-in',
      kinds: ['convert'],
    },
  ] as const

  it.each(cases)(
    `the calls of $mode from $from to $to by a wallet with $has each succeed separately, one after the other, over a node that ${node}`,
    async ({ allowanceRaw, from, to, mode, kinds }) => {
      const wallet = await createHolder(from, allowanceRaw)
      const built = await build(node, { wallet, from, to, ...amounts[mode] })
      expect(built.calls.map(({ kind }) => kind)).toEqual(kinds)
      const convert = built.calls.at(-1)
      expect(convert).toEqual({ kind: 'convert', to: built.to, data: built.data, gasLimit: built.gasLimit })
      const source = kinds.length === 1 && node === 'hides the storage of tokens' ? 'estimate' : nodes[node].source
      expect(built.gasEstimateSource).toBe(source)
      expect(listApprovals(built.calls)).toEqual(
        [['reset', 0n] as const, ['approve', mostRaw[mode]] as const]
          .filter(([kind]) => (kinds as readonly string[]).includes(kind))
          .map(([, raw]) => ({ token: local.tokens[from], spender: local.deployment.router, raw })),
      )
      let gasUsed = 0n
      for (const { kind: _, gasLimit: gas, ...call } of built.calls)
        gasUsed = (await send(wallet, { ...call, gas })).gasUsed
      expect(Number(built.gasLimit) / Number(gasUsed)).toBeLessThanOrEqual(excess[source])
    },
  )
})

describe('a batch', () => {
  it('a batch of a pool approves that pool, with the gas of the same conversion built separately', async () => {
    const pool = local.pools['tAUD/tUSD']
    const wallet = await createHolder('tAUD', 0n)
    const { calls, gasLimit } = await build('takes overrides for calls', {
      wallet,
      from: 'tAUD',
      to: 'tUSD',
      pool,
      ...amounts['exact-in'],
    })
    expect(listApprovals(calls)).toEqual([{ token: local.tokens.tAUD, spender: pool, raw: amountRaw }])
    expect(calls.at(-1)).toMatchObject({ to: pool, gasLimit })
  })

  it('a batch of three calls runs in one transaction of a delegated wallet, with the sum of their gas limits', async () => {
    const wallet = await createHolder('tEUR', 5n)
    const contract = await owner.deploy('testing/LaxDelegate', [])
    const { address } = wallet
    await owner.client.setCode({ address, bytecode: `0xef0100${contract.slice(2)}` })
    const { calls } = await build('takes overrides for calls', {
      wallet,
      from: 'tEUR',
      to: 'tAUD',
      ...amounts['exact-in'],
    })
    expect(calls.map(({ kind }) => kind)).toEqual(['reset', 'approve', 'convert'])
    const batch = executeBy(
      address,
      calls.map((call) => ({ target: call.to, data: call.data })),
    )
    const gas = calls.reduce((sum, { gasLimit }) => sum + gasLimit, 0n)
    await send(wallet, { to: batch.target, data: batch.data, gas })
    expect(await read('tAUD', { functionName: 'balanceOf', args: [address] })).toBeGreaterThan(0n)
    expect(await read('tEUR', { functionName: 'allowance', args: [address, local.deployment.router] })).toBe(0n)
  })

  it('a batch is built for a wallet that has nothing, and for a token that reverts the approval that is estimated', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey())
    const request = { wallet, from: 'tEUR', to: 'tUSD', ...amounts['exact-in'] } as const
    const { calls, account } = await build('takes overrides for calls', request)
    expect(account).toEqual({ allowanceRaw: 0n, balanceRaw: 0n, nativeBalanceWei: 0n })
    expect(calls).toMatchObject([{ kind: 'approve' }, { kind: 'convert' }])
    expect(calls[0]?.gasLimit).toBeLessThan(90_000n)

    const estimating = getAddress('0x00000000000000000000000000000000a610a610')
    await owner.client.setBalance({ address: estimating, value: 10n ** 18n })
    const write = { address: local.tokens.tEUR, abi: tokenAbi, account: estimating } as const
    await writeContract(owner.client, { ...write, functionName: 'approve', args: [local.deployment.router, 1n] })
    const bounded = await build('takes overrides for calls', request)
    expect(bounded.calls).toMatchObject([{ kind: 'approve', gasLimit: 120_000n }, { kind: 'convert' }])
  })
})

type Request = ConversionAmounts & {
  readonly wallet: PrivateKeyAccount
  readonly from: TokenSymbol
  readonly to: TokenSymbol
  readonly pool?: Address
}

async function build(node: Node, { wallet, from, to, ...request }: Request) {
  const chain = chains[node]
  const { tokens } = await chain.pools.getSnapshot()
  const [tokenIn, tokenOut] = [tokens.get(local.tokens[from]), tokens.get(local.tokens[to])] as [Token, Token]
  return await chain.conversions.buildBatch({
    userAddress: wallet.address,
    tokenIn,
    tokenOut,
    deadlineSeconds,
    ...request,
  })
}

/** What the calls approve, in their order. */
function listApprovals(calls: readonly BatchCall[]) {
  return calls
    .filter(({ kind }) => kind !== 'convert')
    .map(({ to, data }) => {
      const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data })
      if (functionName !== 'approve') throw new Error(`Cannot read an approval: the call is ${functionName}`)
      return { token: to, spender: args[0], raw: args[1] }
    })
}

/** A new wallet with native currency, tokens and an allowance for the router. */
async function createHolder(symbol: TokenSymbol, allowanceRaw: bigint): Promise<PrivateKeyAccount> {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const { address: account } = wallet
  const { client } = owner
  await client.setBalance({ address: account, value: 10n ** 18n })
  const write = { address: local.tokens[symbol], abi: tokenAbi } as const
  await writeContract(client, { ...write, functionName: 'mint', args: [account, 10n * amountRaw] })
  const args = [local.deployment.router, allowanceRaw] as const
  if (allowanceRaw > 0n) await writeContract(client, { ...write, account, functionName: 'approve', args })
  return wallet
}

async function send(
  wallet: PrivateKeyAccount,
  call: { readonly to: Address; readonly data: Hex; readonly gas: bigint },
) {
  const nonce = await owner.client.getTransactionCount({ address: wallet.address })
  const fees = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }
  const { chainId } = local.deployment
  const serializedTransaction = await wallet.signTransaction({ type: 'eip1559', chainId, nonce, ...call, ...fees })
  return await waitForSuccess(owner.client, await owner.client.sendRawTransaction({ serializedTransaction }))
}

type Read =
  | { readonly functionName: 'balanceOf'; readonly args: readonly [Address] }
  | { readonly functionName: 'allowance'; readonly args: readonly [Address, Address] }

async function read(symbol: TokenSymbol, request: Read): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, ...request })
  const result = await owner.client.call({ to: local.tokens[symbol], data })
  return BigInt(result.data ?? '0x')
}
