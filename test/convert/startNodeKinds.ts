import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Localnet } from '@agio/localnet'
import type { Caller } from '../harness/Caller.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createTrpcCaller } from '../harness/createTrpcCaller.ts'
import { validInputs } from '../harness/validInputs.ts'
import { rejectOverrides } from '../harness/overrides.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { startProxy, type Answer } from '../harness/startProxy.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { ignoreOverrides, applyOverrides } from '../harness/overrides.ts'
import { startTestServer } from '../harness/startTestServer.ts'

/** How a node treats state overrides, and the source of the gas estimates over it. */
export const nodeKinds = {
  'supports overrides': { answer: applyOverrides, withAll: 'estimate-as-if', lacking: 'estimate-as-if' },
  'supports them for calls only': { answer: undefined, withAll: 'call-as-if', lacking: 'call-as-if' },
  'ignores overrides for estimates': {
    answer: (url: string) => ignoreOverrides(url, 'eth_estimateGas'),
    withAll: 'call-as-if',
    lacking: 'call-as-if',
  },
  'rejects overrides': { answer: rejectOverrides, withAll: 'estimate', lacking: 'upper-bound' },
  'ignores overrides': {
    answer: (url: string) => ignoreOverrides(url, 'eth_estimateGas', 'eth_call'),
    withAll: 'estimate',
    lacking: 'upper-bound',
  },
} as const satisfies Record<string, { answer: ((url: string) => Answer) | undefined; withAll: string; lacking: string }>

export type NodeKind = keyof typeof nodeKinds

/** Starts one pair of chains and, for each kind of node, a service that reads them through such a node. */
export async function startNodeKinds() {
  await using starting = new AsyncDisposableStack()
  const localnet = starting.use(await startTestLocalnet({ blockIntervalMs: 3_600_000 }))
  const readers = await deployReaders(localnet)
  const callers = {} as Record<NodeKind, readonly Caller[]>
  const urls = {} as Record<NodeKind, string>
  for (const name of Object.keys(nodeKinds) as NodeKind[]) {
    const { answer, withAll } = nodeKinds[name]
    const { rpcUrl } = localnet.chains[84532]
    const proxy = starting.use(await startProxy(rpcUrl))
    if (answer) proxy.setAnswer(answer(rpcUrl))
    const rpcUrls = { 84532: [proxy.url] }
    // Without overrides, reads need a deployed reader.
    const deploymentsDir = withAll === 'estimate' ? readers : localnet.deploymentsDir
    const { url, stop } = await startTestServer(localnet, { rpcUrls, deploymentsDir })
    starting.defer(stop)
    urls[name] = url
    callers[name] = [createRestCaller({ url, apiKey }), createTrpcCaller({ url, apiKey })]
    // The service detects the capabilities of a node on the first build for a wallet with issues.
    const inputs = validInputs(localnet.chains[84532])
    await callers[name][0]?.('transaction.buildConvert', inputs['transaction.buildConvert'])
  }
  const running = starting.move()
  return { localnet, callers, urls, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

/**
 * Deploys the reader on each chain, for nodes that reject state overrides.
 *
 * @returns a folder of deployment files that name the readers, removed together with the deployment files of the chains
 */
export async function deployReaders({ chains, deploymentsDir }: Localnet): Promise<string> {
  const folder = join(deploymentsDir, 'with-readers')
  await mkdir(folder)
  for (const chain of Object.values(chains)) {
    const file = `${chain.chainId}.json`
    const deployment = JSON.parse(await readFile(join(deploymentsDir, file), 'utf8')) as object
    const reader = await connectOwner(chain).deploy('Reader', [])
    await writeFile(join(folder, file), JSON.stringify({ ...deployment, reader }))
  }
  return folder
}
