import { expect, test } from 'vitest'
import { connectNode } from '../../test/connectNode.ts'
import { setUpLocalnet } from '../../test/startTestLocalnet.ts'
import { localAccounts } from '../accounts/localAccounts.ts'
import { oracleAbi } from '../price/keeper.ts'
import { adoptContracts } from './adoptContracts.ts'
import { deployContracts } from './deployContracts.ts'
import { keepPrices, preparePrices, repeat } from './keepPrices.ts'

const localnet = setUpLocalnet()

const getEnvironment = (index = 0) => ({
  RPC_URL_84532: localnet.chains[84532].rpcUrl,
  DEPLOYER_KEY: localAccounts[index]?.privateKey,
})

async function writeTo(...oracle: readonly string[]): Promise<readonly string[]> {
  const reports: string[] = []
  const write = await preparePrices({ network: 'baseSepolia', oracle }, getEnvironment())
  await write((message) => void reports.push(message))
  return reports
}

test('the owner of oracles writes a new price or the current price again, and is told of a step that pools refuse', async () => {
  const { tAUD, tEUR } = localnet.chains[84532].oracles
  const client = connectNode(localnet.chains[84532])
  const readRound = async (address: typeof tAUD) => {
    const [id, answer] = await client.readContract({ address, abi: oracleAbi, functionName: 'latestRoundData' })
    return { id, answer }
  }
  const [aud, eur] = [await readRound(tAUD), await readRound(tEUR)]
  expect(await writeTo(tAUD, `${tEUR}=1.3`)).toEqual([
    expect.stringMatching(new RegExp(`^20.+Z ${tAUD}: 0.65120000 dollars$`)),
    expect.stringContaining('more than a tenth from the price before: pools refuse it until it is written again'),
  ])
  expect(await readRound(tAUD)).toEqual({ id: aud.id + 1n, answer: aud.answer })
  expect(await readRound(tEUR)).toEqual({ id: eur.id + 1n, answer: 130_000_000n })
  expect(await writeTo(tEUR)).toEqual([expect.stringMatching(/1\.30000000 dollars$/)])
})

test('error: prices of an oracle of another owner, and of a contract without one, are refused before anything is sent', async () => {
  const { oracles, tokens, deployment } = localnet.chains[84532]
  const [owner, other] = localAccounts
  const options = { network: 'baseSepolia', oracle: [oracles.tAUD] }
  await expect(preparePrices(options, getEnvironment(1))).rejects.toThrow(
    `Cannot write the price of ${oracles.tAUD}: it belongs to ${owner.address}, not to ${other.address}`,
  )
  for (const address of [tokens.tAUD, deployment.router]) {
    await expect(writeTo(oracles.tAUD, address)).rejects.toThrow(
      `Cannot write the price of ${address}: it is not an oracle with an owner`,
    )
  }
  await expect(keepPrices({ ...options, every: 60 }, getEnvironment())).rejects.toThrow(
    '--every is a number from 1 to 55',
  )
})

test('error: a node that cannot be reached is named by its variable, and its URL is not printed', async () => {
  const environment = { ...getEnvironment(), RPC_URL_84532: 'http://127.0.0.1:1/secret' }
  const options = { network: 'baseSepolia', oracle: [localnet.chains[84532].oracles.tAUD] }
  const message = /^The node of RPC_URL_84532 fails: HTTP request failed\. fetch failed$/
  await expect(preparePrices(options, environment)).rejects.toThrow(message)
  const { router, factory } = localnet.chains[84532].deployment
  const adopting = { network: 'baseSepolia', router, factory: factory ?? router, pool: [router] }
  await expect(adoptContracts(adopting, { ...environment, DEPLOYMENTS_DIR: '/nowhere' })).rejects.toThrow(message)
  await expect(deployContracts({ network: 'baseSepolia' }, environment)).rejects.toThrow(message)
})

test('a write that fails is reported and repeated, until the signal is aborted', async () => {
  const reports: string[] = []
  const stop = new AbortController()
  let attempts = 0
  const write = async () => {
    attempts += 1
    if (attempts === 3) stop.abort()
    if (attempts === 1) throw new Error('The node does not answer')
  }
  const report = (message: string) => void reports.push(message)
  await expect(repeat(write, { everyMs: 1, report, signal: stop.signal })).rejects.toThrow('aborted')
  expect({ attempts, reports }).toEqual({
    attempts: 3,
    reports: ['The node does not answer. The next attempt follows within a minute'],
  })
})
