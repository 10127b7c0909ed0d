import {
  createChain,
  permit2Address,
  type BuiltConvert,
  type CallPermit,
  type Chain,
  type ConversionAmounts,
} from '@agio/chain'
import { routerAbi, tokenAbi } from '@agio/chain/abi'
import type { Address, Token } from '@agio/core'
import type { LocalChain, Localnet } from '@agio/localnet'
import { erc20Abi, getAddress, keccak256, maxUint256, type PrivateKeyAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { applyOverrides } from '../harness/overrides.ts'
import { answerEachCall } from '../harness/answerEachCall.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { signPermit, signPermit2 } from '../receipts/signPermit.ts'
import { startProxy, type Answer, type Proxy } from '../harness/startProxy.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { undoBlocks } from '../convert/undoBlocks.ts'
import { waitForSuccess, writeContract } from '../harness/writeContract.ts'

const recipient = getAddress('0x00000000000000000000000000000000000a610a')
const deadlineSeconds = 4_102_444_800n
const amountRaw = 100_000_000n

const pairs = { 'one pool': ['tAUD', 'tUSD'], 'two pools': ['tAUD', 'tEUR'] } as const
type Pair = keyof typeof pairs

const cases = (['permit', 'permit2'] as const).flatMap((kind) =>
  (['exact-in', 'exact-out'] as const).flatMap((mode) =>
    (['one pool', 'two pools'] as const).map((pair) => ({ kind, mode, pair })),
  ),
)

let localnet: Localnet
let local: LocalChain
let owner: Owner
let proxy: Proxy
let plain: Proxy
let chain: Chain
/** The same chain, by a node whose estimates take state overrides. */
let overriding: Chain

beforeAll(async () => {
  localnet = await startTestLocalnet({ blockIntervalMs: 3_600_000 })
  local = localnet.chains[84532]
  owner = connectOwner(local)
  proxy = await startProxy(local.rpcUrl)
  proxy.setAnswer(applyOverrides(local.rpcUrl))
  // Behind the same queue: the state that an estimate writes for a moment must not be seen as a separate block.
  plain = await startProxy(proxy.url)
  plain.setAnswer(rejectForEstimates(proxy.url))
  chain = createChain({ deployment: local.deployment, urls: [plain.url] })
  overriding = createChain({ deployment: local.deployment, urls: [proxy.url] })
})

afterAll(async () => {
  chain?.stop()
  overriding?.stop()
  await plain?.close()
  await proxy?.close()
  await localnet?.stop()
})

describe('a conversion that a signature pays', () => {
  it.each(cases)(
    'a conversion of $mode over $pair that a $kind pays is built before its wallet has anything, with enough gas, and not much more',
    async ({ kind, mode, pair }) => {
      const wallet = privateKeyToAccount(generatePrivateKey())
      const { request, amountInRaw, amountOutRaw } = await prepare(wallet, { kind, mode, pair })
      const expected = { to: local.deployment.router, account: { balanceRaw: 0n, allowanceRaw: 0n } }
      const poor = await Promise.all([chain, overriding].map((each) => each.conversions.build(request)))
      expect(poor).toMatchObject([
        { ...expected, gasEstimateSource: 'call-as-if' },
        { ...expected, gasEstimateSource: 'estimate-as-if' },
      ])

      await fund(wallet, { ...request, kind, amountInRaw })
      const rich = await chain.conversions.build(request)
      const account = { balanceRaw: amountInRaw, allowanceRaw: kind === 'permit2' ? maxUint256 : 0n }
      expect(rich).toMatchObject({ data: poor[0]?.data, gasEstimateSource: 'estimate', account })

      for (const built of [...poor, rich]) await expectEnough(wallet, built, { ...request, amountInRaw, amountOutRaw })
    },
  )
})

describe('a signature of another account', () => {
  it('a permit of another account has no estimate, and the estimates of others keep their method', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey())
    const stranger = { ...privateKeyToAccount(generatePrivateKey()), address: wallet.address }
    const { request, amountInRaw } = await prepare(stranger, { kind: 'permit', mode: 'exact-in', pair: 'one pool' })
    await fund(wallet, { ...request, kind: 'permit', amountInRaw })
    const { permit: _, ...plain } = request
    for (const [each, source] of [
      [chain, 'call-as-if'],
      [overriding, 'estimate-as-if'],
    ] as const) {
      expect(await each.conversions.build(request)).toMatchObject({ gasEstimateSource: 'upper-bound' })
      expect(await each.conversions.build(plain)).toMatchObject({ gasEstimateSource: source })
    }
  })

  it('error: svc/invalid-permit for a signature for Permit2 of another account', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey())
    const stranger = { ...privateKeyToAccount(generatePrivateKey()), address: wallet.address }
    const { request, amountInRaw } = await prepare(stranger, { kind: 'permit2', mode: 'exact-in', pair: 'one pool' })
    await fund(wallet, { ...request, kind: 'permit2', amountInRaw })
    for (const each of [chain, overriding]) {
      const refusal = { code: 'svc/invalid-permit', details: { reason: 'signer' } }
      await expect(each.conversions.build(request)).rejects.toMatchObject(refusal)
    }
  })
})

type Case = { readonly kind: CallPermit['kind']; readonly mode: ConversionAmounts['mode']; readonly pair: Pair }

/** A conversion at exactly the amounts of the router's views, and the signature of its wallet for it. */
async function prepare(wallet: PrivateKeyAccount, { kind, mode, pair }: Case) {
  const tokens = await getPair(pair)
  const viewed = await view(mode === 'exact-in' ? 'viewOriginSwap' : 'viewTargetSwap', pair)
  const [amountInRaw, amountOutRaw] = mode === 'exact-in' ? [amountRaw, viewed] : [viewed, amountRaw]
  const amounts: ConversionAmounts =
    mode === 'exact-in'
      ? { mode, amountInRaw, minAmountOutRaw: amountOutRaw }
      : { mode, maxAmountInRaw: amountInRaw, amountOutRaw }
  const swap = {
    mode,
    origin: tokens.tokenIn.address,
    target: tokens.tokenOut.address,
    amounts: [amountInRaw, amountOutRaw],
    recipient,
    deadline: deadlineSeconds,
    quoteDigest: keccak256(generatePrivateKey()),
  } as const
  const permit =
    kind === 'permit'
      ? await signPermit(local, wallet, { token: swap.origin, amountRaw: amountInRaw, deadlineSeconds })
      : await signPermit2(local, wallet, swap)
  const request = { userAddress: wallet.address, ...tokens, ...amounts, deadlineSeconds, recipient, permit }
  return { request, amountInRaw, amountOutRaw }
}

type Conversion = {
  readonly tokenIn: Token
  readonly tokenOut: Token
  readonly amountInRaw: bigint
  readonly amountOutRaw: bigint
}

/** Expects a built conversion to pay the recipient within its gas limit, and undoes it. */
async function expectEnough(wallet: PrivateKeyAccount, built: BuiltConvert, conversion: Conversion): Promise<void> {
  const { client } = owner
  const { tokenIn, tokenOut, amountInRaw, amountOutRaw } = conversion
  const snapshot = await client.snapshot()
  const before = await readBalance(tokenOut, recipient)
  const { gasUsed } = await send(wallet, built)
  expect((await readBalance(tokenOut, recipient)) - before).toBe(amountOutRaw)
  expect(await readBalance(tokenIn, wallet.address)).toBe(0n)
  expect(amountInRaw).toBeGreaterThan(0n)
  await undoBlocks(owner, snapshot)
  // The local node adds 20 % to its own estimates.
  const nodeMargin = built.gasEstimateSource === 'call-as-if' ? 1 : 1.2
  expect(Number(built.gasLimit) / Number(gasUsed)).toBeLessThanOrEqual(1.6 * nodeMargin)
}

async function send(wallet: PrivateKeyAccount, built: Pick<BuiltConvert, 'to' | 'data' | 'gasLimit'>) {
  const { to, data, gasLimit: gas } = built
  const nonce = await owner.client.getTransactionCount({ address: wallet.address })
  const fees = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }
  const call = { type: 'eip1559', chainId: local.deployment.chainId, to, data, gas, nonce, ...fees } as const
  const serializedTransaction = await wallet.signTransaction(call)
  return await waitForSuccess(owner.client, await owner.client.sendRawTransaction({ serializedTransaction }))
}

async function getPair(pair: Pair): Promise<{ readonly tokenIn: Token; readonly tokenOut: Token }> {
  const { tokens } = await readNewest()
  const [tokenIn, tokenOut] = pairs[pair].map((symbol) => tokens.get(local.tokens[symbol]))
  if (!tokenIn || !tokenOut) throw new Error(`Cannot convert over ${pair}: a token is missing`)
  return { tokenIn, tokenOut }
}

/** Reads the pools once both clients of the chain follow its newest block, also after blocks were undone. */
async function readNewest(): Promise<Awaited<ReturnType<Chain['pools']['getSnapshot']>>> {
  return await vi.waitFor(async () => {
    const newest = await owner.client.getBlockNumber({ cacheTime: 0 })
    const [snapshot, other] = await Promise.all([chain, overriding].map(async (each) => await each.pools.getSnapshot()))
    expect([snapshot?.block.number, other?.block.number]).toEqual([newest, newest])
    if (!snapshot) throw new Error('Cannot read the pools')
    return snapshot
  }, eventually)
}

async function view(functionName: 'viewOriginSwap' | 'viewTargetSwap', pair: Pair): Promise<bigint> {
  const { router: address, referenceToken } = local.deployment
  const [tokenIn, tokenOut] = pairs[pair]
  const args = [referenceToken, local.tokens[tokenIn], local.tokens[tokenOut], amountRaw] as const
  return await owner.client.readContract({ address, abi: routerAbi, functionName, args })
}

type Funding = { readonly kind: CallPermit['kind']; readonly tokenIn: Token; readonly amountInRaw: bigint }

/** Gives a wallet gas money and the tokens that it pays, and for Permit2 approves these to it. */
async function fund({ address: account }: PrivateKeyAccount, { kind, tokenIn, amountInRaw }: Funding): Promise<void> {
  const { client } = owner
  await client.setBalance({ address: account, value: 10n ** 18n })
  const write = { address: tokenIn.address, abi: tokenAbi } as const
  await writeContract(client, { ...write, functionName: 'mint', args: [account, amountInRaw] })
  if (kind === 'permit') return
  await writeContract(client, { ...write, account, functionName: 'approve', args: [permit2Address, maxUint256] })
}

async function readBalance({ address }: Token, account: Address): Promise<bigint> {
  return await owner.client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [account] })
}

/** Answers as the local node does, whose estimates take no state overrides. */
function rejectForEstimates(nodeUrl: string): Answer {
  const error = { code: -32_602, message: 'too many arguments' }
  return answerEachCall(nodeUrl, async (call, callNode) =>
    call.method === 'eth_estimateGas' && (call.params?.length ?? 0) > 2 ? { id: call.id, error } : await callNode(call),
  )
}
