import { encodeFunctionData, erc20Abi, toHex, type Hex } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { encodeSwap, type Swap } from '../../harness/swaps.ts'
import type { Accepted } from './limits.ts'
import type { Evidence } from './promises.ts'
import { createGround, type Ground } from './runScenario.ts'
import { attacker, chains, service } from './startVictim.ts'

let ground: Ground
beforeAll(async () => {
  ground = await createGround(service, chains)
})

const { tAUD: tokenIn, tUSD: tokenOut } = chains[84532].tokens
const approve = (amountRaw: bigint, spender: Hex = attacker) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amountRaw] })
const transfer = (amountRaw: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [attacker, amountRaw] })

type Robbery = {
  readonly transactions?: readonly object[]
  /** What the application accepted. */
  readonly limits?: Pick<Accepted, 'maxInRaw' | 'minOutRaw'>
  readonly evidence?: Partial<Evidence>
}

/** Lists the promises that are broken after a victim has confirmed everything that an attacker wants. */
async function rob({ transactions = [], limits, evidence }: Robbery): Promise<readonly string[]> {
  const victim = await ground.victims.create('confirming')
  const before = await ground.promises.readState(victim)
  const { wallet } = victim
  const from = victim.address
  for (const transaction of transactions) {
    await wallet.request({ method: 'eth_sendTransaction', params: [{ from, to: tokenIn, ...transaction }] })
  }
  const accepted: Accepted = { tokenIn, tokenOut, recipient: from, maxInRaw: 10n, minOutRaw: 5n, ...limits }
  const common = { named: [], receipt: undefined, wasMined: false, mayConvertAgain: false }
  return await ground.promises.findBroken({ victim, before, accepted, ...common, ...evidence })
}

/** Approves and converts 1.5 tAUD. */
function convert(change: Partial<Swap>): Robbery {
  const deadlineSeconds = BigInt(Math.floor(Date.now() / 1000) + 60)
  const swap = { from: 'tAUD', to: 'tUSD', amountInRaw: 1_500_000n, limitRaw: 900_000n, deadlineSeconds } as const
  const { target, data } = encodeSwap(ground.chain, { ...swap, ...change })
  return {
    transactions: [{ data: approve(1_500_000n, target) }, { to: target, data }],
    limits: { maxInRaw: 1_500_000n, minOutRaw: 900_000n },
  }
}

const robberies: readonly [string, RegExp, () => Robbery][] = [
  [
    'a transfer of the accepted input that pays nothing',
    /^1: 0 arrived/,
    () => ({ transactions: [{ data: transfer(10n) }] }),
  ],
  ['a conversion that accepts any output', /^1: the minimum of/, () => convert({ limitRaw: 1n })],
  [
    'an approval of the attacker that is taken back',
    /^2: .* may take/,
    () => ({ transactions: [{ data: approve(1n) }, { data: approve(0n) }] }),
  ],
  [
    'a transfer of native currency',
    /^3: .* besides the gas/,
    () => ({ transactions: [{ to: attacker, value: '0x1' }] }),
  ],
  [
    'a gas limit of 2,000,000',
    /^3: a gas limit/,
    () => ({ transactions: [{ data: approve(0n), gas: toHex(2_000_000) }] }),
  ],
  [
    'an invented receipt',
    /^4: .* not mined/,
    () => ({ evidence: { receipt: { status: 'success', transactionHash: toHex(1, { size: 32 }) } as never } }),
  ],
  [
    'two conversions',
    /^5: .* converted 2 times/,
    () => ({ transactions: [{ data: transfer(5n) }, { data: transfer(5n) }] }),
  ],
  [
    'a conversion after which the application may convert again',
    /^5: .* convert again/,
    () => ({ transactions: [{ data: transfer(5n) }], evidence: { mayConvertAgain: true } }),
  ],
  ['nine prompts', /^6: 9 prompts/, () => ({ transactions: Array.from({ length: 9 }, () => ({ data: approve(0n) })) })],
]

describe('the promises of the SDK', () => {
  it('a conversion within the accepted limits breaks no promise', async () => {
    expect(await rob(convert({}))).toEqual([])
  })

  it.each(robberies)('the check notices %s', async (_, broken, robbery) => {
    expect(await rob(robbery())).toContainEqual(expect.stringMatching(broken))
  })
})
