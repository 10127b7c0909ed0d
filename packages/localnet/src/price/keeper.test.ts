import { parseAbi } from 'viem'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectNode, submitWrite, waitForSuccess, writeContract } from '../../test/connectNode.ts'
import { localAccounts } from '../accounts/localAccounts.ts'
import type { LocalChain } from '../chain/LocalChain.ts'
import { oracleAbi, pushPrices, startKeeper } from './keeper.ts'
import { setUpLocalnet } from '../../test/startTestLocalnet.ts'

const localnet = setUpLocalnet()

test('pushPrices keeps a price that another account has set', async () => {
  const chain = localnet.chains[84532]
  const oracle = { address: chain.oracles.tEUR, abi: oracleAbi, account: localAccounts[0].address } as const
  await writeContract(connectNode(chain), { ...oracle, functionName: 'updateAnswer', args: [99_000_000n] })
  await pushPrices(chain)
  expect(await readRound(chain.oracles.tEUR)).toMatchObject({ answer: 99_000_000n })
})

test('a paused keeper pushes only on the other chains, until every pause has ended', async () => {
  const { 84532: paused, 421614: other } = localnet.chains
  const onFailure = vi.fn<(error: unknown) => void>()
  const keeper = startTestKeeper([paused, other], onFailure)
  const ends = [await keeper.pause(84532), await keeper.pause(84532)]
  const before = await readRound(paused.oracles.tAUD)
  const otherBefore = await readRound(other.oracles.tAUD, other)
  const isPushed = async () => (await readRound(other.oracles.tAUD, other)).roundId > otherBefore.roundId + 1n
  await expect.poll(isPushed).toBe(true)
  ends[0]?.()
  const { roundId } = await readRound(other.oracles.tAUD, other)
  const isPushedAgain = async () => (await readRound(other.oracles.tAUD, other)).roundId > roundId + 1n
  await expect.poll(isPushedAgain).toBe(true)
  expect(await readRound(paused.oracles.tAUD)).toEqual(before)
  ends[1]?.()
  const isResumed = async () => (await readRound(paused.oracles.tAUD)).roundId > before.roundId
  await expect.poll(isResumed).toBe(true)
  expect(onFailure).not.toHaveBeenCalled()
})

test('the keeper begins no push on a chain whose last push is not mined', async () => {
  const { 84532: stalled, 421614: other } = localnet.chains
  const client = connectNode(stalled)
  await client.setAutomine(false)
  await client.setIntervalMining({ interval: 0 })
  startTestKeeper([stalled, other])
  onTestFinished(async () => {
    await client.setAutomine(true)
    await client.mine({ blocks: 1 })
  })
  const countPending = () => client.getBlockTransactionCount({ blockTag: 'pending' })
  await expect.poll(countPending).toBe(1)
  const { roundId } = await readRound(other.oracles.tEUR, other)
  const isPushedRepeatedly = async () => (await readRound(other.oracles.tEUR, other)).roundId > roundId + 3n
  await expect.poll(isPushedRepeatedly).toBe(true)
  expect(await countPending()).toBe(1)
})

test('error: the keeper reports a push that reverts, and continues', async () => {
  const chain = localnet.chains[421614]
  const onFailure = vi.fn<(error: unknown) => void>()
  const noOracle = { ...chain, oracles: { ...chain.oracles, tAUD: chain.tokens.tAUD } }
  startTestKeeper([noOracle], onFailure)
  await expect.poll(() => onFailure.mock.calls.length).toBeGreaterThan(1)
})

test('error: pushPrices rejects when its transaction reverts', async () => {
  const chain = localnet.chains[421614]
  const client = connectNode(chain)
  const abi = parseAbi(['function transferOwnership(address newOwner)', 'function acceptOwnership()'])
  const oracle = { address: chain.oracles.tAUD, abi } as const
  const [owner, other] = [localAccounts[0].address, localAccounts[1].address]
  await writeContract(client, { ...oracle, functionName: 'transferOwnership', args: [other], account: owner })
  await client.setAutomine(false)
  await client.setIntervalMining({ interval: 0 })
  const transferred = await submitWrite(client, { ...oracle, functionName: 'acceptOwnership', account: other })
  const pushed = pushPrices(chain).catch((error: unknown) => error)
  await expect.poll(() => client.getBlockTransactionCount({ blockTag: 'pending' })).toBe(2)
  await client.mine({ blocks: 1 })
  await waitForSuccess(client, transferred)
  expect(await pushed).toMatchObject({
    message: expect.stringMatching(/^Cannot push prices on chain 421614: transaction 0x\w+ reverted$/) as string,
  })
})

/** Starts a keeper that is stopped after the test, which ends once the last push has. */
function startTestKeeper(chains: readonly LocalChain[], onFailure: (error: unknown) => void = () => {}) {
  const keeper = startKeeper(chains, { push: pushPrices, intervalMs: 50, onFailure })
  onTestFinished(async () => {
    keeper.stop()
    await Promise.all(chains.map(({ chainId }) => keeper.pause(chainId)))
  })
  return keeper
}

async function readRound(address: `0x${string}`, chain = localnet.chains[84532]) {
  const round = await connectNode(chain).readContract({ address, abi: oracleAbi, functionName: 'latestRoundData' })
  return { roundId: round[0], answer: round[1], updatedAt: round[3] }
}
