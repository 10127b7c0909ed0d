import {
  createChain,
  listForeign,
  type Chain,
  type Doubt,
  type NodeReport,
  type ObserveNodeRequest,
  type PoolReport,
} from '@agio/chain'
import { Network } from '@agio/core'
import type { Logger } from 'pino'
import type { Timings } from '../metrics/createTimings.ts'
import type { Deployments } from './readDeployments.ts'
import type { Settings } from '../settings/Settings.ts'

/** The served chains by id. A network is served if it has a deployment file. */
export type Chains = Readonly<Partial<Record<Network.ChainId, Chain>>>

type Log = Pick<Logger, 'error' | 'warn' | 'info'>

/** Creates a chain for each deployment, and logs which networks are served. */
export function createChains(
  deployments: Deployments,
  { rpcUrls, snapshotMaxAgeMs, maxBlockAgeMs, broadcastWaitMs, nodeDisagreement }: Settings,
  { log, observeRequest, ...common }: Dependencies,
): Chains {
  const stopsOnDisagreement = nodeDisagreement === 'stop'
  const chains = Object.values(deployments).map((deployment) => {
    const { chainId } = deployment
    const onNode = (report: NodeReport) => logNode(log, chainId, report)
    const onDoubt = (doubt: Doubt) => logDoubt(log, chainId, doubt)
    const onPool = (report: PoolReport) => logPool(log, chainId, report)
    const onLacksProof = () => log.warn({ chainId, reader: deployment.reader }, outdatedReader)
    const onRefused = (reason: string) => log.error({ chainId }, reason)
    const foreign = listForeign(deployment)
    if (foreign.length > 0) log.info({ chainId, foreign }, foreignContracts)
    const observe: ObserveNodeRequest = (request, send) => observeRequest({ chainId, ...request }, send)
    const upstream = {
      urls: rpcUrls[chainId],
      onNode,
      onDoubt,
      onPool,
      onLacksProof,
      onRefused,
      observeRequest: observe,
      ...common,
    }
    return [
      chainId,
      createChain({ deployment, ...upstream, snapshotMaxAgeMs, maxBlockAgeMs, broadcastWaitMs, stopsOnDisagreement }),
    ] as const
  })
  const served = chains.map(([chainId]) => chainId)
  const withoutDeployment = Network.chainIds.filter((chainId) => !served.includes(chainId))
  log.info({ served, withoutDeployment }, 'serving the networks that have a deployment file')
  return Object.fromEntries(chains)
}

type Dependencies = {
  readonly log: Log
  readonly fetch?: typeof globalThis.fetch | undefined
  readonly openSocket?: ((url: string) => WebSocket) | undefined
  readonly nodeTimeoutMs?: number | undefined
  /** Observes each request to a node. */
  readonly observeRequest: Timings['observeNodeRequest']
  /** The wall clock, in milliseconds. */
  readonly now: () => number
}

/** Logs a change of a pool of the deployment. */
function logPool(log: Log, chainId: Network.ChainId, { pool, state, flaw }: PoolReport): void {
  if (state === 'readable') log.info({ chainId, pool }, 'pool is readable')
  else if (state === 'repeated')
    log.warn({ chainId, pool }, 'pool is listed twice in the deployment and is served once')
  else if (state === 'disproven')
    log.warn(
      { chainId, pool },
      'views of the pool differ from the returned curve: the service now prices the pool by its views',
    )
  else log.warn({ chainId, pool, reason: flaw }, 'pool cannot be read: the service retries, and serves the other pools')
}

const foreignContracts =
  'these contracts have no code hash in the deployment file: they are served as contracts of others, and their code is not verified'

const outdatedReader =
  'the deployed reader is an older version that does not return the chain id: each read also requests eth_chainId'

const doubts: Readonly<Record<Doubt['subject'], string>> = {
  fees: 'node returns fees outside their bounds: the next node is asked, and then the bound counts',
  gas: 'node returns an estimate that no transaction can use: the next node is asked, and then the upper bound counts',
  head: 'node announces a block that no node can read, or that other nodes contradict: the newest block of another node counts',
  receipt:
    'node contradicts the receipt of a final transaction: the chain is degraded, and the transaction is not reported as final',
  state:
    'node and another node follow different chains, or have different states of the pools at one block: the chain is degraded',
}

/** Logs a doubtful answer of an upstream node, which the log identifies as `logNode` does. */
function logDoubt(log: Log, chainId: Network.ChainId, { subject, position }: Doubt): void {
  log.warn({ variable: `RPC_URL_${chainId}`, position, subject }, doubts[subject])
}

/** Logs a change of an upstream node. The log identifies the node by its variable and position, never by its URL. */
function logNode(log: Log, chainId: Network.ChainId, { position, state, code, servedChainId, words }: NodeReport) {
  const place = { variable: `RPC_URL_${chainId}`, position }
  if (state === 'healthy') log.info(place, 'node is healthy again')
  else if (state === 'wrong-chain') log.error({ ...place, chainId, servedChainId }, 'node serves another chain')
  else if (state === 'unproven')
    log.warn(
      { ...place, code, words },
      'node fails contract reads or announces blocks that are not believed: other nodes are preferred',
    )
  else if (state === 'lagging') log.warn(place, 'node lags behind: other nodes are preferred')
  else log.warn({ ...place, code, words }, 'node is unavailable: its circuit is open until a probe succeeds')
}
