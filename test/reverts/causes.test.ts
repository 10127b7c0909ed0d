import type { LocalChain } from '@agio/localnet'
import { encodeErrorResult, erc20Abi, parseAbi } from 'viem'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import { validInputs } from '../harness/validInputs.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { createTrader, type Trader } from '../harness/createTrader.ts'
import { placeRefuser } from './placeRefuser.ts'
import { startAgio } from '../harness/startAgio.ts'
import { writeContract } from '../harness/writeContract.ts'
import { partOf } from '../harness/partOf.ts'
import { setUp } from '../harness/setUp.ts'

const transports = ['REST', 'tRPC'] as const

const stack = setUp(startAgio)
let chain: LocalChain

beforeAll(async () => {
  chain = stack.localnet.chains[84532]
})

describe.each(partOf(transports))('the failure of a mined conversion (%s)', (transport) => {
  it('the failure names the balance of a wallet that holds none of the token', async () => {
    const trader = await createTrader(chain, { symbol: 'tAUD', amount: '1000' })
    await transferAll(trader)
    expect(await convert(trader, { amountIn: '1000' })).toMatchObject({
      code: 'svc/insufficient-balance',
      message: 'Cannot convert: the wallet holds 0.000000 tAUD and needs 1000.000000 tAUD',
      revert: { name: 'ERC20InsufficientBalance', args: [trader.address, '0', '1000000000'] },
    })
  })

  it.each([60_000n, 90_000n, 120_000n])('the failure names a gas limit of %d that is too low', async (gasLimit) => {
    const trader = await createTrader(chain, { symbol: 'tAUD', amount: '1000' })
    expect(await convert(trader, { amountIn: '1000', gasLimit: String(gasLimit) })).toEqual({
      code: 'svc/reverted',
      message: `Cannot run the transaction: its gas limit of ${gasLimit} is too low`,
      revert: { name: 'OutOfGas', args: [String(gasLimit)] },
    })
  })

  async function convert(trader: Trader, { amountIn, gasLimit = '400000' }: Sent): Promise<unknown> {
    const call = stack.callers[transport]
    const request = { ...validInputs(chain)['transaction.buildConvert'], userAddress: trader.address, amountIn }
    const built = (await stack.callers.REST('transaction.buildConvert', request)).data as unknown as Unsigned
    const signedTransaction = await trader.sign(call, { ...built, gasLimit })
    const sent = await call('transaction.broadcast', { chainId: 84532, signedTransaction })
    expect(sent).toMatchObject({ status: 200, data: { status: 'failed' } })
    const { transactionHash, failure } = sent.data ?? {}
    expect(await call('transaction.status', { transactionHash })).toMatchObject({ data: { status: 'failed', failure } })
    return failure
  }
})

it.each(transports)('error: the revert of a faucet that refuses a claim is named (%s)', async (transport) => {
  const { client } = connectOwner(chain)
  const address = String(chain.deployment.faucet) as `0x${string}`
  const bytecode = (await client.getCode({ address })) ?? '0x'
  onTestFinished(() => client.setCode({ address, bytecode }))
  const { refuse } = await placeRefuser(chain, address)
  const reason = 'Faucet/closed-on-sundays'
  await refuse('claimAll()', encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: [reason] }))
  const { address: userAddress } = await createWallet(chain)
  const refused = await stack.callers[transport]('faucet.buildClaimAll', { chainId: 84532, userAddress })
  expect(refused).toMatchObject({
    status: 422,
    failure: { code: 'svc/reverted', revert: { name: 'Error', args: [reason] } },
  })
})

type Sent = { readonly amountIn: string; readonly gasLimit?: string }

/** Transfers all tAUD of a trader to the owner. */
async function transferAll({ address: account }: Trader): Promise<void> {
  const { address: recipient, client } = connectOwner(chain)
  const args = [recipient, 1_000_000_000n] as const
  await writeContract(client, { address: chain.tokens.tAUD, abi: erc20Abi, functionName: 'transfer', args, account })
}
