import { poolAbi } from '@agio/chain/abi'
import type { LocalChain } from '@agio/localnet'
import { erc20Abi, formatUnits, parseUnits, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { suite } from './suite.ts'
import { validInputs } from '../harness/validInputs.ts'

const pools = ['tAUD/tUSD', 'tEUR/tUSD'] as const

const amounts = ['1000', '0.000001', '00012.50', '1999999.999999999999999999', '123456.789012345678901234']

const everyAmount = pools.flatMap((pool) => amounts.map((amount) => ({ pool, amount })))

suite('liquidity.previewDeposit', ({ call, chain, chainId }) => {
  it.each(everyAmount)(
    'a deposit preview returns the result of the view of the pool at its block: $amount dollars, $pool',
    async (subject) => {
      const { amount: value, poolAddress } = { ...subject, poolAddress: chain.pools[subject.pool] }
      const { data } = await call('liquidity.previewDeposit', { chainId, poolAddress, value })
      const { viewDeposit, supply, block } = await at(chain, data)
      const [lpAmount, taken] = await viewDeposit(parseUnits(value, 18))
      expect(data).toEqual({
        poolAddress,
        value,
        lpAmount: decimal(lpAmount, 18),
        ...tokensOf(chain, subject.pool),
        amounts: { token0: decimal(taken[0], 6), token1: decimal(taken[1], 6) },
        shareOfPool: expect.toSatisfy((text: string) => isShare(text, lpAmount, supply + lpAmount)),
        ...block,
      })
    },
  )

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
  it.each(everyAmount)(
    'a withdrawal preview returns the result of the view of the pool at its block: $amount LP tokens, $pool',
    async (subject) => {
      const { amount: lpAmount, poolAddress } = { ...subject, poolAddress: chain.pools[subject.pool] }
      const { data } = await call('liquidity.previewWithdraw', { chainId, poolAddress, lpAmount })
      const { viewWithdraw, supply, block } = await at(chain, data)
      const paid = await viewWithdraw(parseUnits(lpAmount, 18))
      expect(data).toEqual({
        poolAddress,
        lpAmount,
        ...tokensOf(chain, subject.pool),
        amounts: { token0: decimal(paid[0], 6), token1: decimal(paid[1], 6) },
        shareOfPool: expect.toSatisfy((text: string) => isShare(text, parseUnits(lpAmount, 18), supply)),
        ...block,
      })
    },
  )

  it('a withdrawal pays the whole reserves for all LP tokens, and nothing for dust', async () => {
    const poolAddress = chain.pools['tEUR/tUSD']
    const lpAmount = (await call('pools.get', { chainId, poolAddress })).data?.['totalSupply']
    const { data } = await call('liquidity.previewWithdraw', { chainId, poolAddress, lpAmount })
    const { balanceOf } = await at(chain, data)
    const [token0, token1] = [await balanceOf(chain.tokens.tEUR), await balanceOf(chain.tokens.tUSD)]
    expect(data).toMatchObject({ lpAmount, amounts: { token0, token1 }, shareOfPool: '100.00000000%' })
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

suite('the pool of a liquidity preview', ({ call, chain }) => {
  const inputs = validInputs(chain)

  it.each(['liquidity.previewDeposit', 'liquidity.previewWithdraw'] as const)(
    '%s accepts its address in any letter case and returns an EIP-55 checksum',
    async (operation) => {
      const input = inputs[operation]
      const { data } = await call(operation, { ...input, poolAddress: input.poolAddress.toLowerCase() })
      expect(data).toMatchObject({ poolAddress: input.poolAddress })
    },
  )
})

/** A pool at the block of its preview: other tests convert on the same chain at the same time. */
async function at(chain: LocalChain, data: Readonly<Record<string, unknown>> | undefined) {
  const { client } = connectOwner(chain)
  const blockNumber = BigInt(String(data?.['blockNumber']))
  const address = data?.['poolAddress'] as Hex
  const pool = { address, abi: poolAbi, blockNumber } as const
  const { timestamp } = await client.getBlock({ blockNumber })
  return {
    viewDeposit: (valueRaw: bigint) => client.readContract({ ...pool, functionName: 'viewDeposit', args: [valueRaw] }),
    viewWithdraw: (lpAmountRaw: bigint) =>
      client.readContract({ ...pool, functionName: 'viewWithdraw', args: [lpAmountRaw] }),
    async balanceOf(token: Hex) {
      const balance = { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [address] } as const
      return decimal(await client.readContract({ ...balance, blockNumber }), 6)
    },
    supply: await client.readContract({ ...pool, functionName: 'totalSupply' }),
    block: {
      blockNumber: Number(blockNumber),
      blockTimestamp: new Date(Number(timestamp) * 1000).toISOString(),
    },
  }
}

function tokensOf({ tokens }: LocalChain, pool: (typeof pools)[number]): object {
  const [token0, token1] = pool.split('/').map((symbol) => ({ address: tokens[symbol], symbol, decimals: 6 }))
  return { token0, token1 }
}

function decimal(raw: bigint | undefined, digits: number): string {
  const text = String(raw).padStart(digits + 1, '0')
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** Whether a percentage is as expected, truncated after at least eight significant digits. */
function isShare(text: string, partRaw: bigint, wholeRaw: bigint): boolean {
  const [, whole = '', fraction = ''] = /^(\d+)\.(\d{8,})%$/.exec(text) ?? []
  const shown = BigInt(whole + fraction)
  const exact = (100n * partRaw * 10n ** BigInt(fraction.length)) / wholeRaw
  return shown === exact && (shown === 0n || String(shown).length >= 8)
}
