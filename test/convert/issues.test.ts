import { tokenAbi } from '@agio/chain/abi'
import type { LocalChain } from '@agio/localnet'
import { numberToHex, parseEther, type Hex } from 'viem'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Unsigned } from '../harness/createWallet.ts'
import { toDecimal } from '../harness/toPreview.ts'
import { validInputs } from '../harness/validInputs.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { createTrader, type Trader } from '../harness/createTrader.ts'
import { undoBlocks } from './undoBlocks.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { waitForSuccess, writeContract } from '../harness/writeContract.ts'
import { partOf } from '../harness/partOf.ts'
import { setUp } from '../harness/setUp.ts'
import { eventually } from '../harness/timeLimits.ts'
import { nodeKinds, type NodeKind, startNodeKinds } from './startNodeKinds.ts'

type Built = Unsigned & {
  readonly maxFeePerGas: string
  readonly gasEstimateSource: string
  readonly issues: unknown
}
type Lack = 'allowance' | 'balance' | 'gas'

const combinations = (
  [[], ['allowance', 'balance', 'gas'], ['allowance'], ['balance'], ['gas'], ['allowance', 'balance']] as const
).map((lacks: readonly Lack[]) => ({ lacks, named: lacks.join(', ') || 'nothing' }))

const running = setUp(startNodeKinds)
let chain: LocalChain
let owner: Owner

beforeAll(async () => {
  chain = running.localnet.chains[84532]
  owner = connectOwner(chain)
})

describe.each(Object.keys(nodeKinds) as NodeKind[])('a node that %s', (node) => {
  it.each(partOf(combinations, 2))(
    `a build over a node that ${node} has issues and enough gas for a wallet that lacks $named`,
    async ({ lacks }) => {
      const trader = await createTrader(chain, { symbol: 'tAUD', amount: '1000' })
      for (const lack of lacks) await take[lack](trader)
      const isOwnEstimate = lacks.every((lack) => lack === 'gas')
      for (const built of await build(node, trader.address)) {
        expect(built.issues).toEqual(lacks.map((lack) => expectedIssue(lack, built)))
        expect(built.gasEstimateSource).toBe(nodeKinds[node][isOwnEstimate ? 'withAll' : 'lacking'])
        await expectEnough(trader, built)
      }
    },
  )
})

describe('an issue of a wallet', () => {
  it('an issue is reported from the first missing raw unit or wei on', async () => {
    const trader = await createTrader(chain, { symbol: 'tAUD', amount: '1000' })
    // The fee per gas follows the newest block that the service has seen.
    await waitForBlock(running.urls['supports them for calls only'], chain)
    const [built] = await build('supports them for calls only', trader.address)
    const needed = BigInt(built?.gasLimit ?? 0) * BigInt(built?.maxFeePerGas ?? 0)
    await setMoney(trader, needed)
    expect(await build('supports them for calls only', trader.address)).toMatchObject([{ issues: [] }, { issues: [] }])
    await setMoney(trader, needed - 1n)
    const tooMuch = await build('supports them for calls only', trader.address, '1000.000001')
    const [required, current] = ['1000.000001', '1000.000000']
    expect(tooMuch[0]?.issues).toMatchObject([
      { code: 'svc/insufficient-allowance', required, current },
      { code: 'svc/insufficient-balance', required, current },
      { code: 'svc/insufficient-gas', current: toDecimal(needed - 1n, 18) },
    ])
  })
})

describe('a chain of the OP stack', () => {
  it('the fee for the bytes on L1 is its own field, and counts for the gas that a wallet needs', async () => {
    const trader = await createTrader(chain, { symbol: 'tAUD', amount: '1000' })
    const call = running.callers['supports them for calls only'][0]!
    const owned = { ownerAddress: trader.address, tokenAddress: chain.tokens.tUSD, amount: '1', prefer: 'approve' }
    const claim = () => call('faucet.buildClaimAll', { chainId: 84532, userAddress: trader.address })
    const pending = await sendPending(trader)
    const readOthers = async () => [
      (await call('approval.plan', owned)).data?.['steps'],
      [(await claim()).data],
      [(await call('transaction.buildReplace', { transactionHash: pending, kind: 'speed-up' })).data],
      [(await call('transaction.buildReplace', { transactionHash: pending, kind: 'cancel' })).data],
    ]
    const readRequired = async () => parseEther(String((await claim()).failure?.['required']))
    for (const [other] of (await readOthers()) as [object][]) expect(other).not.toHaveProperty('l1Fee')
    await setL1Fee(1_000_000)
    expect(await readOthers()).toMatchObject(Array.from({ length: 4 }, () => [{ l1Fee: '1200000' }]))
    await owner.client.setAutomine(true)
    await owner.client.mine({ blocks: 1 })
    // The fee per gas follows the newest block that the service has seen, and may fall between two builds.
    await vi.waitFor(async () => {
      await setMoney(trader, 10n ** 18n)
      const [built] = await build('supports them for calls only', trader.address)
      expect(built).toMatchObject({ l1Fee: '1200000', issues: [] })
      const needed = BigInt(built?.gasLimit ?? 0) * BigInt(built?.maxFeePerGas ?? 0) + 1_200_000n
      await setMoney(trader, needed - 1n)
      for (const { issues } of await build('supports them for calls only', trader.address)) {
        expect(issues).toMatchObject([{ code: 'svc/insufficient-gas', required: toDecimal(needed, 18) }])
      }
    }, eventually)
    await waitForBlock(running.urls['supports them for calls only'], chain)
    await setMoney(trader, 1n)
    const required = await readRequired()
    await setL1Fee(undefined)
    expect(await readRequired()).toBe(required - 1_200_000n)
    await setMoney(trader, 10n ** 18n)
    expect((await build('supports them for calls only', trader.address))[0]).not.toHaveProperty('l1Fee')
  })
})

/** Sets what the oracle of L1 fees returns for every call; undefined removes it. */
async function setL1Fee(wei: number | undefined): Promise<void> {
  const bytecode = wei === undefined ? '0x' : (`0x62${numberToHex(wei, { size: 3 }).slice(2)}60005260206000f3` as const)
  await owner.client.setCode({ address: '0x420000000000000000000000000000000000000F', bytecode })
}

/** Sends a transaction that stays pending, and returns its hash. */
async function sendPending(trader: Trader): Promise<Hex> {
  const transfer = { to: owner.address, data: '0x', value: '1', chainId: 84532, gasLimit: '21000' } as const
  await owner.client.setAutomine(false)
  const serializedTransaction = await trader.sign(async () => ({ status: 200, data: { nonce: 1 } }), transfer)
  return await owner.client.sendRawTransaction({ serializedTransaction })
}

const take: Record<Lack, (trader: Trader) => Promise<void>> = {
  allowance: (trader) => actAs(trader, { functionName: 'approve', args: [chain.deployment.router, 0n] }),
  balance: (trader) => actAs(trader, { functionName: 'transfer', args: [owner.address, 1_000_000_000n] }),
  gas: (trader) => setMoney(trader, 0n),
}

function expectedIssue(lack: Lack, { gasLimit, maxFeePerGas }: Built): object {
  const gasMoney = toDecimal(BigInt(gasLimit) * BigInt(maxFeePerGas), 18)
  const [required, current] = lack === 'gas' ? [gasMoney, toDecimal(0n, 18)] : ['1000.000000', '0.000000']
  return { code: `svc/insufficient-${lack}`, message: expect.any(String), required, current }
}

/** Expects the built transaction to succeed with its gas limit, which is not much too high, once the issues are resolved. */
async function expectEnough(trader: Trader, { to, data, gasLimit, gasEstimateSource }: Built): Promise<void> {
  const { client } = owner
  const snapshot = await client.snapshot()
  const mint = { abi: tokenAbi, functionName: 'mint', args: [trader.address, 1_000_000_000n] } as const
  await writeContract(client, { address: chain.tokens.tAUD, ...mint })
  await setMoney(trader, 10n ** 19n)
  await actAs(trader, { functionName: 'approve', args: [chain.deployment.router, 1_000_000_000n] })
  await client.impersonateAccount({ address: trader.address })
  const sent = { to, data, gas: BigInt(gasLimit), account: trader.address, chain: null } as const
  const { gasUsed } = await waitForSuccess(client, await client.sendTransaction(sent))
  await undoBlocks(owner, snapshot)
  // The local node adds 20 % to its own estimates, and the service adds 28 % to them instead of 20 %.
  const nodeMargin = gasEstimateSource === 'call-as-if' ? 1 : 1.28
  const most = gasEstimateSource === 'upper-bound' ? 720_000 : 1.6 * nodeMargin * Number(gasUsed)
  expect(Number(gasLimit)).toBeLessThanOrEqual(most)
}

async function build(node: NodeKind, userAddress: Hex, amountIn = '1000'): Promise<readonly Built[]> {
  const request = { ...validInputs(chain)['transaction.buildConvert'], userAddress, amountIn }
  const answers = await Promise.all(running.callers[node].map((call) => call('transaction.buildConvert', request)))
  return answers.map(({ data }) => data as unknown as Built)
}

type Write =
  | { readonly functionName: 'approve'; readonly args: readonly [Hex, bigint] }
  | { readonly functionName: 'transfer'; readonly args: readonly [Hex, bigint] }

async function actAs({ address: account }: Trader, write: Write): Promise<void> {
  await writeContract(owner.client, { address: chain.tokens.tAUD, abi: tokenAbi, ...write, account })
}

async function setMoney({ address }: Trader, value: bigint): Promise<void> {
  await owner.client.setBalance({ address, value })
}
