import { createChain, type BatchCall, type Chain, type ConversionAmounts } from '@agio/chain'
import { tokenAbi } from '@agio/chain/abi'
import type { Address, Token } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { decodeFunctionData, erc20Abi, getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyOverrides, hideStorage } from '../harness/overrides.ts'
import { executeBy } from '../harness/swaps.ts'
import { readAllowance } from '../approvals/readAllowance.ts'
import { createHolder, createViemWallet } from '../harness/createHolder.ts'
import { readBalance } from '../harness/readBalance.ts'
import type { Sendable, Wallet } from '../harness/Wallet.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { startProxy } from '../harness/startProxy.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { testTimeout } from '../harness/timeLimits.ts'
import { writeContract } from '../harness/writeContract.ts'

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

// The local node adds 20 % to its own estimates, and the service 28 %. A call after an approval has the gas of the approval.
const excess = { 'call-as-if': 1.7, 'estimate-as-if': 2.05, estimate: 2.05 } as const

const amounts = {
  'exact-in': { mode: 'exact-in', amountInRaw: amountRaw, minAmountOutRaw: 1n },
  'exact-out': { mode: 'exact-out', maxAmountInRaw: 3n * amountRaw, amountOutRaw: amountRaw },
} as const satisfies Record<string, ConversionAmounts>

const mostRaw = { 'exact-in': amountRaw, 'exact-out': 3n * amountRaw } as const

let local: LocalChain
let owner: Owner
const running = new AsyncDisposableStack()
const chains = {} as Record<Node, Chain>

beforeAll(async () => {
  const localnet = running.use(await startTestLocalnet({ blockIntervalMs: 3_600_000 }))
  local = localnet.chains[84532]
  owner = connectOwner(local)
  for (const name of Object.keys(nodes) as Node[]) {
    const { answer } = nodes[name]
    const proxy = running.use(await startProxy(local.rpcUrl))
    if (answer) proxy.setAnswer(answer(local.rpcUrl))
    chains[name] = createChain({ deployment: local.deployment, urls: [proxy.url], nodeTimeoutMs: testTimeout })
    running.defer(() => chains[name].stop())
  }
})

afterAll(() => running.disposeAsync())

describe.each(Object.keys(nodes) as Node[])('a batch over a node that %s', (node) => {
  const cases = [
    { has: 'no', allowanceRaw: 0n, from: 'tAUD', to: 'tUSD', mode: 'exact-in', before: ['approve'] },
    { has: 'no', allowanceRaw: 0n, from: 'tUSD', to: 'tEUR', mode: 'exact-out', before: ['approve'] },
    { has: 'too low an', allowanceRaw: 5n, from: 'tAUD', to: 'tEUR', mode: 'exact-out', before: ['approve'] },
    { has: 'too low an', allowanceRaw: 5n, from: 'tEUR', to: 'tAUD', mode: 'exact-out', before: ['reset', 'approve'] },
    { has: 'enough', allowanceRaw: 3n * amountRaw, from: 'tEUR', to: 'tUSD', mode: 'exact-in', before: [] },
  ] as const

  it.each(cases)(
    `the calls of $mode from $from to $to by a wallet with $has allowance each succeed separately, one after the other, over a node that ${node}`,
    async ({ allowanceRaw, from, to, mode, before }) => {
      const wallet = await createPayer(from, allowanceRaw)
      const built = await build(node, { wallet, from, to, ...amounts[mode] })
      expect(built.calls.map(({ kind }) => kind)).toEqual([...before, 'convert'])
      const convert = built.calls.at(-1)
      expect(convert).toEqual({ kind: 'convert', to: built.to, data: built.data, gasLimit: built.gasLimit })
      const source = before.length === 0 && node === 'hides the storage of tokens' ? 'estimate' : nodes[node].source
      expect(built.gasEstimateSource).toBe(source)
      expect(listApprovals(built.calls)).toEqual(
        before.map((kind) => ({
          token: local.tokens[from],
          spender: local.deployment.router,
          raw: kind === 'reset' ? 0n : mostRaw[mode],
        })),
      )
      let gasUsed = 0n
      for (const { to: target, data, gasLimit } of built.calls)
        gasUsed = await send(wallet, { to: target, data, gasLimit: `${gasLimit}` })
      expect(Number(built.gasLimit) / Number(gasUsed)).toBeLessThanOrEqual(excess[source])
    },
  )
})

describe('a batch', () => {
  it('a batch of a pool approves that pool, with the gas of the same conversion built separately', async () => {
    const pool = local.pools['tAUD/tUSD']
    const wallet = await createPayer('tAUD', 0n)
    const request = { wallet, from: 'tAUD', to: 'tUSD', pool, ...amounts['exact-in'] } as const
    const { calls, gasLimit } = await build('takes overrides for calls', request)
    expect(listApprovals(calls)).toEqual([{ token: local.tokens.tAUD, spender: pool, raw: amountRaw }])
    expect(calls.at(-1)).toMatchObject({ to: pool, gasLimit })
  })

  it('a batch of three calls runs in one transaction of a delegated wallet, with the sum of their gas limits', async () => {
    const wallet = await createPayer('tEUR', 5n)
    const contract = await owner.deploy('testing/LaxDelegate', [])
    const { address } = wallet
    await owner.client.setCode({ address, bytecode: `0xef0100${contract.slice(2)}` })
    const request = { wallet, from: 'tEUR', to: 'tAUD', ...amounts['exact-in'] } as const
    const { calls } = await build('takes overrides for calls', request)
    expect(calls.map(({ kind }) => kind)).toEqual(['reset', 'approve', 'convert'])
    const batch = executeBy(
      address,
      calls.map((call) => ({ target: call.to, data: call.data })),
    )
    const gasLimit = `${calls.reduce((sum, call) => sum + call.gasLimit, 0n)}`
    await send(wallet, { to: batch.target, data: batch.data, gasLimit })
    expect(await readBalance(local, local.tokens.tAUD, address)).toBeGreaterThan(0n)
    expect(await readAllowance(local, local.tokens.tEUR, [address, local.deployment.router])).toBe(0n)
  })

  it('a batch is built for a wallet that has nothing, and for a token that reverts the approval that is estimated', async () => {
    const wallet = createViemWallet(local)
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
  readonly wallet: Wallet
  readonly from: TokenSymbol
  readonly to: TokenSymbol
  readonly pool?: Address
}

async function build(node: Node, { wallet, from, to, ...request }: Request) {
  const chain = chains[node]
  const { tokens } = await chain.pools.getSnapshot()
  const [tokenIn, tokenOut] = [tokens.get(local.tokens[from]), tokens.get(local.tokens[to])] as [Token, Token]
  const parties = { userAddress: wallet.address, tokenIn, tokenOut }
  return await chain.conversions.buildBatch({ ...parties, deadlineSeconds, ...request })
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
async function createPayer(symbol: TokenSymbol, allowanceRaw: bigint): Promise<Wallet> {
  const wallet = await createHolder(local, { [symbol]: '1000' })
  const write = { address: local.tokens[symbol], abi: tokenAbi, account: wallet.address } as const
  const args = [local.deployment.router, allowanceRaw] as const
  if (allowanceRaw > 0n) await writeContract(owner.client, { ...write, functionName: 'approve', args })
  return wallet
}

/** Sends a call that must succeed, and returns the gas that it has used. */
async function send(wallet: Wallet, call: Sendable): Promise<bigint> {
  const { status, gasUsed } = await wallet.send(call)
  expect(status).toBe('success')
  return gasUsed
}
