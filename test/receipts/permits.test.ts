import { permit2Address } from '@agio/chain'
import { tokenAbi } from '@agio/chain/abi'
import type { LocalChain } from '@agio/localnet'
import {
  encodeFunctionData,
  erc20Abi,
  getAddress,
  maxUint256,
  type Address,
  type Hex,
  type PrivateKeyAccount,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { mineTogether } from '../harness/mineTogether.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { writeContract } from '../harness/writeContract.ts'
import { expectSum } from '../harness/expectSum.ts'
import { encodePermitSwap } from './permitSwaps.ts'
import { encodeSwap, executeBy, submitAs, type Call } from '../harness/swaps.ts'

const thousand = 1_000_000_000n
const recipient = getAddress('0x00000000000000000000000000000000000a610a')

let stack: AgioStack
let chain: LocalChain
let owner: Owner

beforeAll(async () => {
  stack = await startAgio()
  chain = stack.localnet.chains[84532]
  owner = connectOwner(chain)
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
})

type Transport = 'REST' | 'tRPC'

describe.each(['REST', 'tRPC'] as const)('conversions that a signature pays, or a batch makes (%s)', (transport) => {
  it.each([
    { kind: 'permit', mode: 'exact-in', amountInRaw: thousand },
    { kind: 'permit2', mode: 'exact-in', amountInRaw: thousand },
    { kind: 'permit', mode: 'exact-out', amountOutRaw: 650_874_400n, limitRaw: thousand + 1n },
    { kind: 'permit2', mode: 'exact-out', amountOutRaw: 650_874_400n, limitRaw: thousand + 1n },
  ] as const)(
    'broadcast/convert and the receipt explain a conversion of $mode that a $kind pays, for a recipient',
    async ({ mode, ...swap }) => {
      const wallet = await createHolder('tAUD')
      if (swap.kind === 'permit2') await approve('tAUD', wallet.address, { spender: permit2Address })
      const call = await encodePermitSwap(chain, wallet, { from: 'tAUD', to: 'tUSD', recipient, ...swap })
      const receipt = await broadcastAndRead(transport, { wallet, call })
      expect(receipt).toMatchObject({ mode, payer: wallet.address, recipient, amountOut: '650.874400' })
    },
  )

  it('broadcast/convert and the receipt explain the batch of a delegated wallet, which sends it to itself', async () => {
    const wallet = await createHolder('tAUD')
    await delegate(wallet.address)
    const approved = approvalOf('tAUD', chain.deployment.router, thousand)
    const swap = encodeSwap(chain, { from: 'tAUD', to: 'tUSD', amountInRaw: thousand })
    const call = executeBy(wallet.address, [approved, swap])
    const receipt = await broadcastAndRead(transport, { wallet, call })
    expect(receipt).toMatchObject({ mode: 'exact-in', payer: wallet.address, recipient: wallet.address })
  })

  it('broadcast/convert and the receipt explain the batch of a smart account, which pays, while its owner pays the gas', async () => {
    const wallet = await createHolder('tAUD')
    const account = await owner.deploy('testing/OwnedAccount', [wallet.address])
    await mint('tAUD', account)
    const approved = approvalOf('tAUD', chain.deployment.router, 2n * thousand)
    const swap = { from: 'tAUD', to: 'tUSD', amountOutRaw: 650_874_400n, limitRaw: 2n * thousand, recipient } as const
    const call = executeBy(account, [approved, encodeSwap(chain, swap)])
    const before = await owner.client.getBalance({ address: account })
    const receipt = await broadcastAndRead(transport, { wallet, call })
    expect(receipt).toMatchObject({ mode: 'exact-out', payer: account, recipient, amountOut: '650.874400' })
    expect(await owner.client.getBalance({ address: account })).toBe(before)
  })

  it('broadcast/convert and the receipt explain a smart account that pays with its own signature by Permit2', async () => {
    const wallet = await createHolder('tAUD')
    const account = await owner.deploy('testing/OwnedAccount', [wallet.address])
    await mint('tAUD', account)
    await approve('tAUD', account, { spender: permit2Address })
    const signer = { ...wallet, address: account }
    const swap = await encodePermitSwap(chain, signer, {
      kind: 'permit2',
      from: 'tAUD',
      to: 'tUSD',
      amountInRaw: thousand,
    })
    const receipt = await broadcastAndRead(transport, { wallet, call: executeBy(account, [swap]) })
    expect(receipt).toMatchObject({ mode: 'exact-in', payer: account, recipient: account })
  })
})

describe('conversions that failed for their signature', () => {
  const refused = (reason: string, name: string) => ({
    status: 'failed',
    tokenIn: { symbol: 'tAUD' },
    tokenOut: { symbol: 'tUSD' },
    failure: { code: 'svc/invalid-permit', message: expect.stringContaining(reason), revert: { name } },
  })

  it('the receipt of a signature for Permit2 that was used before names its nonce', async () => {
    const wallet = await createHolder('tAUD')
    await approve('tAUD', wallet.address, { spender: permit2Address })
    const call = await encodePermitSwap(chain, wallet, {
      kind: 'permit2',
      from: 'tAUD',
      to: 'tUSD',
      amountInRaw: 5_000_000n,
    })
    const [first, second] = await mineTogether(
      chain,
      [0, 1].map(() => submitAs(chain, wallet.address, call)),
    )
    expect([first?.status, second?.status]).toEqual(['success', 'reverted'])
    const data = await read('REST', second?.transactionHash ?? '0x')
    expect(data).toMatchObject({ ...refused('nonce', 'InvalidNonce'), payer: wallet.address, mode: 'exact-in' })
  })

  it('the receipt of a conversion with the signature of another account for Permit2 names its signer', async () => {
    const wallet = await createHolder('tAUD')
    await approve('tAUD', wallet.address, { spender: permit2Address })
    const stranger = privateKeyToAccount(generatePrivateKey())
    const signer = { ...stranger, address: wallet.address }
    const swap = { kind: 'permit2', from: 'tAUD', to: 'tUSD', amountOutRaw: thousand, limitRaw: 2n * thousand } as const
    const data = await readFailed(wallet.address, await encodePermitSwap(chain, signer, swap))
    expect(data).toMatchObject({
      ...refused('did not sign', 'InvalidSigner'),
      mode: 'exact-out',
      payer: wallet.address,
    })
  })

  it('the receipt of a conversion that Permit2 cannot pay names the missing allowance', async () => {
    const wallet = await createHolder('tAUD')
    const swap = { kind: 'permit2', from: 'tAUD', to: 'tUSD', amountInRaw: thousand } as const
    const data = await readFailed(wallet.address, await encodePermitSwap(chain, wallet, swap))
    expect(data).toMatchObject({
      status: 'failed',
      failure: { code: 'svc/insufficient-allowance', message: expect.stringContaining('1000.000000 tAUD') },
    })
  })

  it('the receipt of a conversion with a permit of another account names the missing allowance of the router', async () => {
    const wallet = await createHolder('tAUD')
    const signer = { ...privateKeyToAccount(generatePrivateKey()), address: wallet.address }
    const swap = { kind: 'permit', from: 'tAUD', to: 'tUSD', amountInRaw: thousand } as const
    const data = await readFailed(wallet.address, await encodePermitSwap(chain, signer, swap))
    expect(data).toMatchObject({
      failure: { code: 'svc/insufficient-allowance', revert: { name: 'ERC20InsufficientAllowance' } },
    })
  })

  it('the receipt of a failed batch of a delegated wallet names its payer and the conversion within', async () => {
    const wallet = await createHolder('tAUD')
    await delegate(wallet.address)
    const swap = { from: 'tAUD', to: 'tUSD', amountInRaw: thousand } as const
    const call = executeBy(wallet.address, [
      approvalOf('tAUD', chain.deployment.router, thousand - 1n),
      encodeSwap(chain, swap),
    ])
    expect(await readFailed(wallet.address, call)).toMatchObject({
      status: 'failed',
      payer: wallet.address,
      tokenIn: { symbol: 'tAUD' },
      failure: { code: 'svc/insufficient-allowance', message: expect.stringContaining('999.999999 tAUD') },
    })
  })
})

type Sent = { readonly wallet: PrivateKeyAccount; readonly call: Call }

/** Broadcasts a conversion of tAUD into 650.8744 tUSD as a transaction of type 2, and returns its receipt. */
async function broadcastAndRead(transport: Transport, { wallet, call }: Sent) {
  const fees = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }
  const signedTransaction = await wallet.signTransaction({
    type: 'eip1559',
    chainId: 84532,
    to: call.target,
    data: call.data,
    gas: 1_000_000n,
    nonce: await owner.client.getTransactionCount({ address: wallet.address }),
    ...fees,
  })
  const { status, data } = await stack.callers[transport]('transaction.broadcastConvert', {
    chainId: 84532,
    signedTransaction,
    tokenIn: chain.tokens.tAUD,
    tokenOut: chain.tokens.tUSD,
    amountIn: '1000',
    expectedAmountOut: '650.874400',
  })
  const convert = { actualAmountOut: '650.874400', oracleAmountOut: '651.200000', slippage: '0.0000%' }
  expect({ status, data }).toMatchObject({ status: 200, data: { status: 'success', convert } })
  const receipt = await read(transport, data?.['transactionHash'] as Hex)
  expect(receipt).toMatchObject({ status: 'success', tokenIn: { symbol: 'tAUD' }, oracleAt: 'execution' })
  expectSum(receipt)
  return receipt
}

async function read(transport: Transport, transactionHash: Hex): Promise<Readonly<Record<string, unknown>>> {
  const { status, data } = await stack.callers[transport]('convert.receipt', { chainId: 84532, transactionHash })
  expect({ status, data }).toMatchObject({ status: 200 })
  return data ?? {}
}

/** Mines a call that reverts, and returns its receipt. */
async function readFailed(account: Address, call: Call) {
  const [mined] = await mineTogether(chain, [submitAs(chain, account, call)])
  expect(mined?.status).toBe('reverted')
  return await read('REST', mined?.transactionHash ?? '0x')
}

/** A new wallet with native currency and 10,000 tokens, which has approved nothing. */
async function createHolder(symbol: 'tAUD'): Promise<PrivateKeyAccount> {
  const wallet = privateKeyToAccount(generatePrivateKey())
  await owner.client.setBalance({ address: wallet.address, value: 10n ** 19n })
  await mint(symbol, wallet.address)
  return wallet
}

async function mint(symbol: 'tAUD', account: Address): Promise<void> {
  const write = { address: chain.tokens[symbol], abi: tokenAbi, functionName: 'mint' } as const
  await writeContract(owner.client, { ...write, args: [account, 10n * thousand] })
}

async function approve(symbol: 'tAUD', account: Address, { spender }: { readonly spender: Address }): Promise<void> {
  await owner.client.setBalance({ address: account, value: 10n ** 19n })
  const write = { address: chain.tokens[symbol], abi: tokenAbi, functionName: 'approve' } as const
  await writeContract(owner.client, { ...write, account, args: [spender, maxUint256] })
}

function approvalOf(symbol: 'tAUD', spender: Address, amountRaw: bigint): Call {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amountRaw] })
  return { target: chain.tokens[symbol], data }
}

/** Delegates a wallet to a contract, as a transaction of type 4 does. */
async function delegate(address: Address): Promise<void> {
  const contract = await owner.deploy('testing/LaxDelegate', [])
  await owner.client.setCode({ address, bytecode: `0xef0100${contract.slice(2)}` })
}
