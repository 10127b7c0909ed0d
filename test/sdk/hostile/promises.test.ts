import { encodeFunctionData, erc20Abi, maxUint256, parseGwei, toHex, type Hex } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Victim } from './accounts.ts'
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
  readonly typedData?: object
  /** What the application accepted. */
  readonly limits?: Pick<Accepted, 'maxInRaw' | 'minOutRaw'>
  readonly evidence?: Partial<Evidence>
}

/** Lists the promises that are broken after a victim has confirmed everything that an attacker wants. */
async function rob({ transactions = [], typedData, limits, evidence }: Robbery): Promise<readonly string[]> {
  const victim = await ground.victims.create('confirming')
  const before = await ground.promises.readState(victim)
  const { wallet } = victim
  const from = victim.address
  for (const transaction of transactions) {
    await wallet.request({ method: 'eth_sendTransaction', params: [{ from, to: tokenIn, ...transaction }] })
  }
  if (typedData)
    await wallet.request({
      method: 'eth_signTypedData_v4',
      params: [from, JSON.stringify(toPermit(victim, typedData))],
    })
  const accepted: Accepted = { tokenIn, tokenOut, recipient: from, maxInRaw: 10n, minOutRaw: 5n, ...limits }
  const common = { named: [], receipt: undefined, wasMined: false, mayConvertAgain: false }
  return await ground.promises.findBroken({ victim, before, accepted, ...common, ...evidence })
}

function toPermit({ address }: Victim, message: object) {
  const fields = ['address owner', 'address spender', 'uint256 value', 'uint256 nonce', 'uint256 deadline']
  const Permit = fields.map((field) => ({ type: field.split(' ')[0], name: field.split(' ')[1] }))
  const domain = { name: 'tAUD', version: '1', chainId: 84532, verifyingContract: tokenIn }
  const { router } = ground.chain.deployment
  const deadline = Math.floor(Date.now() / 1000) + 60
  return {
    domain,
    types: { Permit },
    primaryType: 'Permit',
    message: { owner: address, spender: router, value: '10', nonce: '0', deadline, ...message },
  }
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

const harmless: readonly [string, () => Robbery][] = [
  ['nothing', () => ({})],
  [
    'an approval of what the conversion needs',
    () => ({ transactions: [{ data: approve(10n, ground.chain.deployment.router) }] }),
  ],
  ['a conversion within the accepted limits', () => convert({})],
  ['a permit of what the conversion needs', () => ({ typedData: {} })],
]

const robberies: readonly [string, RegExp, () => Robbery][] = [
  [
    'a transfer of the accepted input that pays nothing',
    /^1: 0 arrived/,
    () => ({ transactions: [{ data: transfer(10n) }] }),
  ],
  ['a transfer of more than the accepted input', /^1: 11 left/, () => ({ transactions: [{ data: transfer(11n) }] })],
  ['a transfer of another token', /^1: the token/, () => ({ transactions: [{ to: tokenOut, data: transfer(1n) }] })],
  [
    'a transfer without an accepted quote',
    /^1: tokens left/,
    () => ({ transactions: [{ data: transfer(1n) }], evidence: { accepted: undefined } }),
  ],
  ['a conversion that accepts any output', /^1: the minimum of/, () => convert({ limitRaw: 1n })],
  ['a conversion until the year 2096', /^1: the deadline of/, () => convert({ deadlineSeconds: 4_000_000_000n })],
  ['an approval of the attacker', /^2: .* may take 1 of/, () => ({ transactions: [{ data: approve(1n) }] })],
  [
    'an approval of the attacker that is taken back',
    /^2: .* may take/,
    () => ({ transactions: [{ data: approve(1n) }, { data: approve(0n) }] }),
  ],
  [
    'an approval of more than the accepted input',
    /^2: .* may take/,
    () => ({ transactions: [{ data: approve(maxUint256, ground.chain.deployment.router) }] }),
  ],
  ['a permit for the attacker', /^2: the spender/, () => ({ typedData: { spender: attacker } })],
  ['a permit of more than the accepted input', /^2: the amount/, () => ({ typedData: { value: '11' } })],
  ['a permit that lasts for years', /^2: the deadline/, () => ({ typedData: { deadline: 4_000_000_000 } })],
  [
    'a transfer of native currency',
    /^3: .* besides the gas/,
    () => ({ transactions: [{ to: attacker, value: '0x1' }] }),
  ],
  [
    'a tip of 10,000 gwei',
    /^3: .* wei for gas/,
    () => ({
      transactions: [
        {
          data: approve(0n),
          maxFeePerGas: toHex(parseGwei('10000')),
          maxPriorityFeePerGas: toHex(parseGwei('10000')),
          gas: '0x186a0',
        },
      ],
    }),
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
  it.each(harmless)('%s breaks no promise', async (_, harm) => {
    expect(await rob(harm())).toEqual([])
  })

  it.each(robberies)('the check notices %s', async (_, broken, robbery) => {
    expect(await rob(robbery())).toContainEqual(expect.stringMatching(broken))
  })
})
