import type { LocalChain } from '@agio/localnet'
import { erc20Abi, formatUnits, parseUnits, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { suite } from './suite.ts'
import { validInputs } from '../harness/validInputs.ts'

suite('liquidity.previewDeposit', ({ call, chain }) => {
  it('a deposit preview accepts any value of uint256, and none above', async () => {
    const input = validInputs(chain)['liquidity.previewDeposit']
    const largest = formatUnits(2n ** 255n, 18)
    expect(await call('liquidity.previewDeposit', { ...input, value: largest })).toMatchObject({ status: 200 })
    const more = formatUnits(2n ** 256n, 18)
    const failure = { code: 'svc/invalid-request', field: 'value', value: more }
    expect(await call('liquidity.previewDeposit', { ...input, value: more })).toMatchObject({ status: 400, failure })
  })
})

suite('liquidity.previewWithdraw', ({ call, chain, chainId }) => {
  it('a withdrawal pays the whole reserves for all LP tokens, and nothing for dust', async () => {
    const poolAddress = chain.pools['tEUR/tUSD']
    const lpAmount = (await call('pools.get', { chainId, poolAddress })).data?.['totalSupply']
    const { data } = await call('liquidity.previewWithdraw', { chainId, poolAddress, lpAmount })
    expect(data).toMatchObject({ lpAmount, shareOfPool: '100.00000000%' })
    const amounts = Object.values(data?.['amounts'] as Readonly<Record<'token0' | 'token1', string>>)
    const balances = [await balanceAt(chain, data, chain.tokens.tEUR), await balanceAt(chain, data, chain.tokens.tUSD)]
    expect(amounts.map(Number)).toEqual(balances.map(Number))
    const dust = await call('liquidity.previewWithdraw', {
      chainId,
      poolAddress,
      lpAmount: `0.${'1'.padStart(18, '0')}`,
    })
    expect(dust.data).toMatchObject({ amounts: { token0: '0.000000', token1: '0.000000' } })
  })

  it('error: svc/invalid-request for a withdrawal of more LP tokens than the supply', async () => {
    const input = validInputs(chain)['liquidity.previewWithdraw']
    const { data } = await call('pools.get', { chainId, poolAddress: input.poolAddress })
    const more = formatUnits(parseUnits(String(data?.['totalSupply']), 18) + 1n, 18)
    for (const lpAmount of [more, formatUnits(2n ** 255n, 18)]) {
      expect(await call('liquidity.previewWithdraw', { ...input, lpAmount })).toMatchObject({
        status: 400,
        failure: { code: 'svc/invalid-request', field: 'lpAmount', value: lpAmount, action: 'fix_input' },
      })
    }
  })
})

/** Returns the balance of a pool at the block of its preview: other tests convert on the same chain at the same time. */
async function balanceAt(chain: LocalChain, data: Readonly<Record<string, unknown>> | undefined, token: Hex) {
  const blockNumber = BigInt(String(data?.['blockNumber']))
  const balance = {
    address: token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [data?.['poolAddress'] as Hex],
  } as const
  return formatUnits(await connectOwner(chain).client.readContract({ ...balance, blockNumber }), 6)
}
