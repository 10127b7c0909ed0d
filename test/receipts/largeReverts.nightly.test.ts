import { routerAbi, tokenAbi } from '@agio/chain/abi'
import type { LocalChain } from '@agio/localnet'
import { encodeFunctionData, maxUint256, parseEther, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { startForeignStack } from '../harness/startForeignStack.ts'
import { encodeSwap, type Call } from '../harness/swaps.ts'
import { writeContract } from '../harness/writeContract.ts'
import { failWith, largeReverts, maxTransactionGas, mineFailure } from './replays.ts'
import { setUpReceipts, thousand } from './setUpReceipts.ts'

const receipts = setUpReceipts()

afterEach(() => receipts.stack.proxies[84532].reset())

/** The largest message of a node over a WebSocket. */
const maxMessageBytes = 4 * 1024 * 1024

describe.each(largeReverts)('transactions that revert with as much as their gas allows: %s', (_, bytecode) => {
  it('the response to a replay is smaller than a message of a WebSocket, and the reason is unknown', async () => {
    const { read, replays } = await failWith(receipts, bytecode)
    expect(await read()).toMatchObject({ status: 200, data: { status: 'failed' } })
    expect(replays.largestBytes()).toBeGreaterThan(1_000_000)
    expect(replays.largestBytes()).toBeLessThan(maxMessageBytes)
  })
})

describe('the exact reason of a failed conversion through two pools', () => {
  it.each([300_000n, maxTransactionGas])('the pools are ours, and the gas limit is %d', async (gas) => {
    const swap = { from: 'tAUD', to: 'tEUR' } as const
    const fail = async (call: Call) => {
      const transactionHash = await mineFailure(receipts.chain, { ...call, from: receipts.user, gas })
      return (await receipts.read(transactionHash)).data?.['failure']
    }
    const origin = encodeSwap(receipts.chain, { ...swap, amountInRaw: thousand, limitRaw: 10n ** 12n })
    expect(await fail(origin)).toMatchObject({
      code: 'svc/below-min-target',
      revert: { name: 'BelowMinTarget', args: [expect.stringMatching(/^\d{9}$/), '1000000000000'] },
    })
    const target = encodeSwap(receipts.chain, { ...swap, amountOutRaw: thousand, limitRaw: 1n })
    expect(await fail(target)).toMatchObject({ code: 'svc/above-max-input' })
  })

  it('the pools are a variant of the DFX family, whose conversions use the most gas', async () => {
    await using foreign = await startForeignStack()
    const { deployment, tokens, chain } = foreign.market
    const from = privateKeyToAddress(generatePrivateKey())
    await fundForeign(chain, { owner: from, token: tokens.fEUR, spender: deployment.router })
    const args = [deployment.referenceToken, tokens.fEUR, tokens.fAUD, 100_000n, 10n ** 24n, maxUint256] as const
    const data = encodeFunctionData({ abi: routerAbi, functionName: 'originSwap', args })
    const transactionHash = await mineFailure(chain, { target: deployment.router, data, from, gas: maxTransactionGas })
    const { data: receipt } = await foreign.callers.REST('convert.receipt', { chainId: 84532, transactionHash })
    expect(receipt).toMatchObject({ failure: { code: 'svc/below-min-target', revert: { name: 'Error' } } })
    expect(Number(receipt?.['gasUsed'])).toBeGreaterThan(300_000)
  })
})

async function fundForeign(chain: LocalChain, { owner, token, spender }: Funds): Promise<void> {
  const { client } = connectOwner(chain)
  await client.setBalance({ address: owner, value: parseEther('100') })
  const mint = { functionName: 'mint', args: [owner, maxUint256 / 2n] } as const
  await writeContract(client, { address: token, abi: tokenAbi, ...mint })
  const approve = { functionName: 'approve', args: [spender, maxUint256] } as const
  await writeContract(client, { address: token, account: owner, abi: tokenAbi, ...approve })
}

type Funds = { readonly owner: Address; readonly token: Address; readonly spender: Address }
