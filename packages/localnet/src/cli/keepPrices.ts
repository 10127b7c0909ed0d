import { Amount, type Address } from '@agio/core'
import { setTimeout } from 'node:timers/promises'
import { encodeFunctionData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { toProvider } from '../chain/Provider.ts'
import { createDeployer, type Deployer } from '../deployment/createDeployer.ts'
import { undefinedIfReverted } from '../deployment/undefinedIfReverted.ts'
import { maxStep, oracleAbi } from '../price/keeper.ts'
import { atNode, getCredentials, parseAddress, parseNetwork, readContractSettings } from './contractOptions.ts'
import { runUntilStopped } from './runUntilStopped.ts'

const decimals = 8

// A price is stale after an hour, and the write itself takes some blocks.
const maxMinutes = 55

const retryMs = 60_000

/**
 * Writes prices of oracles that the deployer owns: once, or repeatedly until a signal stops it.
 *
 * @throws `Error` for an invalid option, for missing variables, and for an oracle that the deployer does not own
 */
export async function keepPrices(options: keepPrices.Options, environment: NodeJS.ProcessEnv): Promise<void> {
  const { every } = options
  if (every !== undefined && !(every >= 1 && every <= maxMinutes))
    throw new Error(`Invalid option: --every is a number from 1 to ${maxMinutes}, since a price is stale after an hour`)
  const write = await preparePrices(options, environment)
  if (every === undefined) return await write(console.log)
  await runUntilStopped({ json: false }, async ({ report }) => {
    await write(report)
    const work = (signal: AbortSignal) => repeat(() => write(report), { everyMs: every * 60_000, report, signal })
    return { summary: `Next prices in ${every} minutes`, fields: {}, work }
  })
}

export declare namespace keepPrices {
  type Options = preparePrices.Options & {
    /** The minutes between two writes. Default: the prices are written once. */
    readonly every?: number | undefined
  }
}

/** Checks the oracles, and returns a function that writes their prices and reports each one. */
export async function preparePrices(
  { network, oracle: texts }: preparePrices.Options,
  environment: NodeJS.ProcessEnv,
): Promise<(report: (message: string) => void) => Promise<void>> {
  const { chainId } = parseNetwork(network)
  const { rpcUrl, deployerKey } = getCredentials(chainId, readContractSettings(environment, 'write prices').texts)
  const feeds = texts.map((text) => {
    const [address = '', dollars] = text.split('=')
    const price = dollars === undefined ? undefined : Amount.parse(dollars, decimals, 'oracle')
    return { address: parseAddress('oracle', address), price }
  })
  const deployer = await atNode(chainId, async () => {
    const created = await createDeployer(toProvider(rpcUrl), privateKeyToAccount(deployerKey))
    const served = await created.client.getChainId()
    if (served !== chainId) throw new Error(`Cannot write prices of chain ${chainId}: the node serves chain ${served}`)
    for (const { address } of feeds) await assertOwner(created, address)
    return created
  })
  return async (report) => {
    for (const feed of feeds) report(await atNode(chainId, () => writePrice(deployer, feed)))
  }
}

export declare namespace preparePrices {
  /** The options of the command line. */
  type Options = {
    readonly network: string
    /** `0x…` to write the current price again, or `0x…=1.0845`. */
    readonly oracle: readonly string[]
  }
}

async function assertOwner({ client, address: account }: Deployer, address: Address): Promise<void> {
  const oracle = { address, abi: oracleAbi } as const
  const owner = await undefinedIfReverted(client.readContract({ ...oracle, functionName: 'owner' }))
  const round = await undefinedIfReverted(client.readContract({ ...oracle, functionName: 'latestRoundData' }))
  if (!owner || !round) throw new Error(`Cannot write the price of ${address}: it is not an oracle with an owner`)
  if (owner !== account)
    throw new Error(`Cannot write the price of ${address}: it belongs to ${owner}, not to ${account}`)
}

async function writePrice(deployer: Deployer, { address, price }: Feed): Promise<string> {
  const oracle = { address, abi: oracleAbi } as const
  const [, current] = await deployer.client.readContract({ ...oracle, functionName: 'latestRoundData' })
  const answer = price ?? current
  await deployer.send(address, encodeFunctionData({ ...oracle, functionName: 'updateAnswer', args: [answer] }))
  const change = answer > current ? answer - current : current - answer
  const isStep = change * 10n ** 18n > current * maxStep
  const note = isStep ? ', more than a tenth from the price before: pools refuse it until it is written again' : ''
  return `${new Date().toISOString()} ${address}: ${Amount.format(answer, decimals)} dollars${note}`
}

type Feed = { readonly address: Address; readonly price: bigint | undefined }

/**
 * Repeats a write until a signal is aborted. A write that fails is reported, and repeated after a minute at the latest.
 *
 * @throws the abort of the signal
 */
export async function repeat(write: () => Promise<void>, { everyMs, report, signal }: repeat.Options): Promise<never> {
  let waitMs = everyMs
  for (;;) {
    await setTimeout(waitMs, undefined, { signal })
    try {
      await write()
      waitMs = everyMs
    } catch (error) {
      report(`${error instanceof Error ? error.message : String(error)}. The next attempt follows within a minute`)
      waitMs = Math.min(everyMs, retryMs)
    }
  }
}

export declare namespace repeat {
  type Options = {
    readonly everyMs: number
    readonly report: (message: string) => void
    readonly signal: AbortSignal
  }
}
