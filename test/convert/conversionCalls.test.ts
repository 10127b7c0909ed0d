import { createChain, permit2Address, type BuiltConvert, type Chain, type ConversionAmounts } from '@agio/chain'
import { routerAbi, tokenAbi } from '@agio/chain/abi'
import type { Address, Token } from '@agio/core'
import type { LocalChain, Localnet } from '@agio/localnet'
import { erc20Abi, getAddress, maxUint256, parseEventLogs, type TransactionReceipt } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createWallet } from '../harness/createWallet.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { waitForSuccess, writeContract } from '../harness/writeContract.ts'

const recipient = getAddress('0x00000000000000000000000000000000000a610a')
const deadlineSeconds = 4_102_444_800n
const amountRaw = 100_000_000n

const pairs = { 'one pool': ['tAUD', 'tUSD'], 'two pools': ['tAUD', 'tEUR'] } as const
const modes = ['exact-in', 'exact-out'] as const

const cases = modes.flatMap((mode) => [
  { mode, pair: 'one pool', by: 'router', to: 'the sender' } as const,
  { mode, pair: 'one pool', by: 'router', to: 'a recipient' } as const,
  { mode, pair: 'two pools', by: 'router', to: 'the sender' } as const,
  { mode, pair: 'two pools', by: 'router', to: 'a recipient' } as const,
  { mode, pair: 'one pool', by: 'pool', to: 'the sender' } as const,
])

let localnet: Localnet
let local: LocalChain
let owner: Owner
let chain: Chain

beforeAll(async () => {
  localnet = await startTestLocalnet({ blockIntervalMs: 3_600_000 })
  local = localnet.chains[84532]
  owner = connectOwner(local)
  chain = createChain({ deployment: local.deployment, urls: [local.rpcUrl] })
})

afterAll(async () => {
  chain?.stop()
  await localnet?.stop()
})

describe('a built conversion', () => {
  it.each(cases)(
    'a built conversion of $mode over $pair by the $by pays $to, with the gas estimated before any approval',
    async ({ mode, pair, by, to }) => {
      const { tokenIn, tokenOut } = await getPair(pair)
      const pool = by === 'pool' ? local.pools['tAUD/tUSD'] : undefined
      const wallet = await createWallet(local)
      const terms = mode === 'exact-in' ? await quoteIn(pair) : await quoteOut(pair)
      const request = {
        userAddress: wallet.address,
        tokenIn,
        tokenOut,
        deadlineSeconds,
        pool,
        recipient: to === 'a recipient' ? recipient : undefined,
        ...terms.limits,
      }
      const built = await chain.conversions.build(request)
      expect(built).toMatchObject({
        to: pool ?? local.deployment.router,
        gasEstimateSource: 'call-as-if',
        account: { balanceRaw: 0n, allowanceRaw: 0n },
      })
      await fund(wallet.address, { token: tokenIn, spender: built.to, amountInRaw: terms.amountInRaw })
      expect(await chain.conversions.build(request)).toMatchObject({
        data: built.data,
        account: { balanceRaw: terms.amountInRaw, allowanceRaw: terms.amountInRaw },
      })

      const payee = to === 'a recipient' ? recipient : wallet.address
      const before = await readBalance(tokenOut, payee)
      const receipt = await send(wallet, built)
      expect((await readBalance(tokenOut, payee)) - before).toBe(terms.amountOutRaw)
      expect(await readBalance(tokenIn, wallet.address)).toBe(0n)
      expect(sumPaid(receipt, wallet.address)).toEqual({ [tokenIn.address]: terms.amountInRaw })
      expect(receipt.gasUsed).toBeLessThanOrEqual((built.gasLimit * 10n) / 12n + 1n)
    },
  )

  it('a built conversion for the sender as its own recipient is the plain call', async () => {
    const { tokenIn, tokenOut } = await getPair('one pool')
    const { address } = await createWallet(local)
    const request = { userAddress: address, tokenIn, tokenOut, deadlineSeconds, ...(await quoteOut('one pool')).limits }
    const [plain, own] = await Promise.all([
      chain.conversions.build(request),
      chain.conversions.build({ ...request, recipient: address }),
    ])
    expect(own.data).toBe(plain.data)
  })

  it('a built conversion with an unlimited maximum has the gas of one with the exact maximum', async () => {
    const { tokenIn, tokenOut } = await getPair('two pools')
    const { address } = await createWallet(local)
    const { limits } = await quoteOut('two pools')
    const request = { userAddress: address, tokenIn, tokenOut, deadlineSeconds, ...limits }
    const [exact, unlimited] = await Promise.all([
      chain.conversions.build(request),
      chain.conversions.build({ ...request, maxAmountInRaw: maxUint256 }),
    ])
    // Its calldata has more bytes that are not zero.
    expect(unlimited.gasLimit).toBeGreaterThanOrEqual(exact.gasLimit)
  })
})

describe('errors of a build', () => {
  it.each(['one pool', 'two pools'] as const)(
    'error: svc/above-max-input for an exact output over %s that costs one unit more than the maximum',
    async (pair) => {
      const { limits, amountInRaw } = await quoteOut(pair)
      await expectError(pair, { ...limits, maxAmountInRaw: amountInRaw - 1n }, 'svc/above-max-input')
    },
  )

  it('error: svc/above-max-input by a pool, with both amounts', async () => {
    const { limits } = await quoteOut('one pool')
    const pool = local.pools['tAUD/tUSD']
    const swap = { ...limits, maxAmountInRaw: 1n, pool }
    expect(await expectError('one pool', swap, 'svc/above-max-input')).toMatchObject({
      message: 'Cannot convert: the input 153.639475 tAUD is above the requested maximum 0.000001 tAUD',
      details: { amountIn: '153.639475', maxAmountIn: '0.000001' },
    })
  })

  it('error: svc/above-max-origin for an exact output past the halt, with any maximum', async () => {
    const limits = { mode: 'exact-out', maxAmountInRaw: 1n, amountOutRaw: 900_000_000_000n } as const
    await expectError('two pools', limits, 'svc/above-max-origin')
  })

  it('error: svc/recipient-unsupported for a pool and a recipient', async () => {
    const { limits } = await quoteIn('one pool')
    const swap = { ...limits, pool: local.pools['tAUD/tUSD'], recipient }
    await expectError('one pool', swap, 'svc/recipient-unsupported')
  })

  async function expectError(pair: Pair, swap: Swap, code: string) {
    const { tokenIn, tokenOut } = await getPair(pair)
    const { address: userAddress } = await createWallet(local)
    const request = { userAddress, tokenIn, tokenOut, deadlineSeconds, ...swap }
    const error: unknown = await chain.conversions.build(request).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code })
    return error
  }
})

describe('the features of a router', () => {
  it('the features of our router include exact outputs, recipients and signatures', async () => {
    const all = { targetSwap: true, recipient: true, permit: true, permit2: true }
    expect(await chain.conversions.getRouterFeatures()).toEqual(all)
  })

  it('our router takes no signatures for Permit2 where Permit2 has no code', async () => {
    const code = await owner.client.getCode({ address: permit2Address })
    await owner.client.setCode({ address: permit2Address, bytecode: '0x' })
    const other = createChain({ deployment: local.deployment, urls: [local.rpcUrl] })
    onTestFinished(async () => {
      other.stop()
      await owner.client.setCode({ address: permit2Address, bytecode: code ?? '0x' })
    })
    expect(await other.conversions.getRouterFeatures()).toMatchObject({ permit: true, permit2: false })
  })

  it.each([
    ['knows no ERC-165', () => local.pools['tAUD/tUSD']],
    ['reverts each call', () => owner.deploy('testing/BrokenContract', [0])],
    ['burns the gas of each call', () => owner.deploy('testing/BrokenContract', [1])],
    ['returns a single byte', () => owner.deploy('testing/BrokenContract', [2])],
    ['returns large numbers', () => owner.deploy('testing/BrokenContract', [3])],
  ] as const)('a router that %s has none of these features', async (_, findRouter) => {
    const deployment = { ...local.deployment, router: await findRouter() }
    const other = createChain({ deployment, urls: [local.rpcUrl] })
    onTestFinished(() => other.stop())
    const none = { targetSwap: false, recipient: false, permit: false, permit2: false }
    expect(await other.conversions.getRouterFeatures()).toEqual(none)
  })
})

type Pair = keyof typeof pairs
type Swap = ConversionAmounts & { readonly pool?: Address; readonly recipient?: Address }

async function getPair(pair: Pair): Promise<{ readonly tokenIn: Token; readonly tokenOut: Token }> {
  const { tokens } = await chain.pools.getSnapshot()
  const [tokenIn, tokenOut] = pairs[pair].map((symbol) => tokens.get(local.tokens[symbol]))
  if (!tokenIn || !tokenOut) throw new Error(`Cannot convert over ${pair}: a token is missing`)
  return { tokenIn, tokenOut }
}

/** The router's view of an exact input, and the limits that it just meets. */
async function quoteIn(pair: Pair) {
  const amountOutRaw = await view('viewOriginSwap', pair)
  const limits = { mode: 'exact-in', amountInRaw: amountRaw, minAmountOutRaw: amountOutRaw } as const
  return { amountInRaw: amountRaw, amountOutRaw, limits }
}

/** The router's view of an exact output, and the limits that it just meets. */
async function quoteOut(pair: Pair) {
  const amountInRaw = await view('viewTargetSwap', pair)
  const limits = { mode: 'exact-out', maxAmountInRaw: amountInRaw, amountOutRaw: amountRaw } as const
  return { amountInRaw, amountOutRaw: amountRaw, limits }
}

async function view(functionName: 'viewOriginSwap' | 'viewTargetSwap', pair: Pair): Promise<bigint> {
  const { router: address, referenceToken } = local.deployment
  const [tokenIn, tokenOut] = pairs[pair]
  const args = [referenceToken, local.tokens[tokenIn], local.tokens[tokenOut], amountRaw] as const
  return await owner.client.readContract({ address, abi: routerAbi, functionName, args })
}

async function fund(account: Address, { token, spender, amountInRaw }: Funding): Promise<void> {
  const { address } = token
  const write = { address, abi: tokenAbi } as const
  await writeContract(owner.client, { ...write, functionName: 'mint', args: [account, amountInRaw] })
  await writeContract(owner.client, { ...write, functionName: 'approve', args: [spender, amountInRaw], account })
}

type Funding = { readonly token: Token; readonly spender: Address; readonly amountInRaw: bigint }

async function readBalance({ address }: Token, account: Address): Promise<bigint> {
  return await owner.client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [account] })
}

/** Sends a built conversion with its gas limit and fees, as the second transaction of its wallet. */
async function send(wallet: Awaited<ReturnType<typeof createWallet>>, built: BuiltConvert) {
  const { to, data, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = built
  const call = { to, data, value: '0', chainId: 84532, gasLimit: gasLimit.toString() }
  const serializedTransaction = await wallet.sign(async () => ({ status: 200, data: { nonce: 1 } }), {
    ...call,
    maxFeePerGas: maxFeePerGas.toString(),
    maxPriorityFeePerGas: maxPriorityFeePerGas.toString(),
  })
  return await waitForSuccess(owner.client, await owner.client.sendRawTransaction({ serializedTransaction }))
}

/** Raw units of each token that an account paid in a transaction. */
function sumPaid({ logs }: TransactionReceipt, account: Address): Record<Address, bigint> {
  const sums: Record<Address, bigint> = {}
  for (const { address, args } of parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs })) {
    const token = getAddress(address)
    if (args.from === account) sums[token] = (sums[token] ?? 0n) + args.value
  }
  return sums
}
