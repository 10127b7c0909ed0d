import type { Network } from '@agio/core'
import type { LocalChain, Localnet, ScenarioName } from '@agio/localnet'
import type { Settings } from '@agio/server'
import { parseAbi, parseEther, type Address } from 'viem'
import { getOtherChainId } from '../harness/networks.ts'
import { validInputs } from '../harness/validInputs.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { partOf } from '../harness/partOf.ts'
import { startTestForks } from '../harness/startTestLocalnet.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { writeContract } from '../harness/writeContract.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'

const ownableAbi = parseAbi(['function transferOwnership(address newOwner)', 'function acceptOwnership()'])

/** Owns the oracles and pools of the forked chains. No test has its key. */
const foreignOwner = '0x00000000000000000000000000000000000a910a'

/**
 * The stacks that scenarios are tested on, for `describe.each`: new chains, with faults on the first, and forks of chains that
 * another account owns and that keep mining, with faults on the second.
 */
export const scenarioStacks = partOf([
  { name: 'new chains', start: (settings?: Partial<Settings>) => startSubject(startNewChains, 84532, settings) },
  { name: 'forks', start: (settings?: Partial<Settings>) => startSubject(startForks, 421614, settings) },
] as const)

/** A stack and the chain with the faults. */
export type Subject = AsyncDisposable &
  AgioStack & {
    readonly chain: LocalChain
    /** The chain without faults. */
    readonly other: LocalChain
    readonly owner: Owner
    /** Well-formed inputs on the chain. */
    readonly inputs: ReturnType<typeof validInputs>
    /** Runs a scenario on the chain, unless another one is named. */
    run(name: ScenarioName, options?: Readonly<Record<string, unknown>>): Promise<{ readonly blockNumber: number }>
  }

type StartChains = (running: AsyncDisposableStack) => Promise<Localnet>

async function startSubject(startChains: StartChains, chainId: Network.ChainId, settings?: Partial<Settings>) {
  await using starting = new AsyncDisposableStack()
  const localnet = await startChains(starting)
  const stack = await startAgio({ localnet, ...settings })
  starting.defer(() => stack.stop())
  const running = starting.move()
  const chain = localnet.chains[chainId]
  const subject: Subject = {
    ...stack,
    chain,
    other: localnet.chains[getOtherChainId(chainId)],
    owner: connectOwner(chain),
    inputs: validInputs(chain),
    run: (name, options) => stack.scenarios.run(name, { chainId, ...options }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
  return subject
}

async function startNewChains(running: AsyncDisposableStack): Promise<Localnet> {
  return running.use(await startTestLocalnet({ blockIntervalMs: 3_600_000 }))
}

async function startForks(running: AsyncDisposableStack): Promise<Localnet> {
  const upstream = running.use(await startTestLocalnet({ blockIntervalMs: 500 }))
  for (const chain of Object.values(upstream.chains)) await transferOwnership(chain, foreignOwner)
  return running.use(await startTestForks(upstream))
}

/** Transfers the oracles and pools of a chain to another owner, as on a network with a foreign deployment. */
async function transferOwnership(chain: LocalChain, newOwner: Address): Promise<void> {
  const { client } = connectOwner(chain)
  const transfer = { abi: ownableAbi, functionName: 'transferOwnership', args: [newOwner] } as const
  const accept = { abi: ownableAbi, functionName: 'acceptOwnership', account: newOwner } as const
  await client.setBalance({ address: newOwner, value: parseEther('1') })
  for (const address of [...Object.values(chain.oracles), ...Object.values(chain.pools)]) {
    await writeContract(client, { address, ...transfer })
    await writeContract(client, { address, ...accept })
  }
}
