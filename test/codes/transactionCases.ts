import { exactOutRouterAbi, poolAbi } from '@agio/chain/abi'
import type { LocalChain } from '@agio/localnet'
import { encodeFunctionData, erc20Abi, maxUint256, zeroAddress, type Hex } from 'viem'
import { onTestFinished } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import { simulateFirst } from '../reverts/simulateFirst.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { createTrader, type Holding } from '../harness/createTrader.ts'
import { writeContract } from '../harness/writeContract.ts'
import { circleAbi } from '../tokens/deployCircleMarket.ts'
import { callBoth, type Cases } from './callBoth.ts'
import { provoke, under } from './requestCases.ts'
import type { CodesStack } from './startCodesStack.ts'

const poor = '0x00000000000000000000000000000000000000aa'

/** The codes of transactions, before and after signing. */
export const transactionCases = {
  'svc/invalid-transaction': ({ local }) =>
    callBoth(local.url, ['transaction.broadcast', { signedTransaction: '0x02' }]),
  'svc/wrong-chain': async ({ local, chain }) =>
    await callBoth(local.url, [
      'transaction.broadcast',
      { chainId: 421614, signedTransaction: await signTransfer(chain) },
    ]),
  async 'svc/nonce-too-low'({ local, chain }) {
    const wallet = await createWallet(chain)
    const signedTransaction = await signTransfer(chain, {}, wallet)
    const other = await signTransfer(chain, { value: '2' }, wallet)
    await local.callers.REST('transaction.broadcast', { signedTransaction: other })
    return await callBoth(local.url, ['transaction.broadcast', { signedTransaction }])
  },
  'svc/underpriced': async ({ local, chain }) =>
    await callBoth(local.url, [
      'transaction.broadcast',
      { signedTransaction: await signTransfer(chain, { maxFeePerGas: '1', maxPriorityFeePerGas: '1' }) },
    ]),
  async 'svc/already-mined'({ local, chain }) {
    const signedTransaction = await signTransfer(chain)
    const { data } = await local.callers.REST('transaction.broadcast', { signedTransaction })
    const replace = { transactionHash: data?.['transactionHash'], kind: 'cancel' }
    return await callBoth(local.url, ['transaction.buildReplace', replace])
  },
  'svc/transaction-not-found': ({ local }) =>
    callBoth(local.url, ['transaction.status', { transactionHash: `0x${'12'.repeat(32)}` }]),
  async 'svc/not-a-conversion'({ local, chain }) {
    const signedTransaction = await signTransfer(chain)
    const { data } = await local.callers.REST('transaction.broadcast', { signedTransaction })
    return await callBoth(local.url, ['convert.receipt', { transactionHash: data?.['transactionHash'] }])
  },
  'svc/insufficient-gas': provoke('faucet.buildClaimAll', { userAddress: poor }),
  'svc/insufficient-balance': (stack) => convertTooMuch(stack, { amount: '1', approved: '1000' }),
  'svc/insufficient-allowance': (stack) => convertTooMuch(stack, { amount: '1000', approved: '1' }),
  /** Pays at most one raw unit for an output of a million. */
  async 'svc/above-max-input'(stack) {
    const { router, referenceToken } = stack.chain.deployment
    const { tAUD, tUSD } = stack.chain.tokens
    const args = [referenceToken, tAUD, tUSD, 1n, 1_000_000n, maxUint256] as const
    const data = encodeFunctionData({ abi: exactOutRouterAbi, functionName: 'targetSwap', args })
    const change = { to: router, data, value: '0', gasLimit: '300000' }
    return await tryBroadcast(stack, await signTransfer(stack.chain, change))
  },
  async 'svc/account-blocked'(stack) {
    const { chain, isolated } = stack
    const wallet = await createWallet(chain)
    const block = { abi: circleAbi, functionName: 'setBlocked', args: [wallet.address, true] } as const
    await writeContract(connectOwner(chain).client, { address: isolated.base, ...block })
    const args = [isolated.base, isolated.quote, 1_000_000n, 1n, maxUint256] as const
    const data = encodeFunctionData({ abi: poolAbi, functionName: 'originSwap', args })
    const change = { to: isolated.pool, data, value: '0', gasLimit: '300000' }
    return await tryBroadcast(stack, await signTransfer(chain, change, wallet))
  },
  async 'svc/token-paused'(stack) {
    await setPaused(stack, true)
    onTestFinished(() => setPaused(stack, false))
    return await provoke('approval.build', { tokenAddress: stack.isolated.base })(stack)
  },
  /** Transfers tokens to the zero address. */
  async 'svc/reverted'(stack) {
    const args = [zeroAddress, 1n] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    const to = stack.chain.tokens['tAUD'] ?? zeroAddress
    return await tryBroadcast(stack, await signTransfer(stack.chain, { to, data, value: '0', gasLimit: '90000' }))
  },
  async 'svc/faucet-cooldown'({ local, chain }) {
    const wallet = await createWallet(chain)
    const claim = { chainId: chain.chainId, userAddress: wallet.address }
    const built = await local.callers.REST('faucet.buildClaimAll', claim)
    const signedTransaction = await wallet.sign(local.callers.REST, built.data as unknown as Unsigned)
    await local.callers.REST('transaction.broadcast', { signedTransaction })
    return await callBoth(local.url, ['faucet.buildClaimAll', claim])
  },
  'svc/faucet-dry': under(['dry-faucet'], provoke('faucet.buildClaimAll')),
} as const satisfies Cases

/** Pauses or resumes the first isolated token. */
async function setPaused({ chain, isolated }: CodesStack, isPaused: boolean): Promise<void> {
  const call = { address: isolated.base, abi: circleAbi, functionName: 'setPaused', args: [isPaused] } as const
  await writeContract(connectOwner(chain).client, call)
}

const noncesFromZero = async () => ({ status: 200, data: { nonce: 0 } })

async function signTransfer(
  chain: LocalChain,
  change: Partial<Unsigned> = {},
  wallet?: Awaited<ReturnType<typeof createWallet>>,
): Promise<Hex> {
  const { address, sign } = wallet ?? (await createWallet(chain))
  const transfer: Unsigned = { to: address, data: '0x', value: '1', chainId: chain.chainId, gasLimit: '21000' }
  return await sign(noncesFromZero, { ...transfer, ...change })
}

/** Broadcasts a conversion of 1,000, whose build has already reported the issue. */
async function convertTooMuch(stack: CodesStack, has: Pick<Holding, 'amount' | 'approved'>) {
  const { chain, inputs, served } = stack
  const trader = await createTrader(chain, { symbol: 'tAUD', ...has })
  const { key } = await createAdminClient(served.url).issue()
  const call = createRestCaller({ url: served.url, apiKey: key })
  const request = { ...inputs['transaction.buildConvert'], userAddress: trader.address }
  const built = await call('transaction.buildConvert', request)
  return await tryBroadcast(stack, await trader.sign(call, built.data as unknown as Unsigned))
}

/** Broadcasts to a node that executes a transaction before it accepts it. */
async function tryBroadcast({ chain, served }: CodesStack, signedTransaction: Hex) {
  const { key } = await createAdminClient(served.url).issue()
  served.node.setAnswer(simulateFirst(chain.rpcUrl))
  onTestFinished(served.node.reset)
  return await callBoth(served.url, ['transaction.broadcast', { signedTransaction }], key)
}
