import type { ChainHealth, Health } from '../service/Health.ts'

/** The description of a state. */
export type Description = {
  /** The state itself. */
  readonly label: string
  /** The effect for callers. */
  readonly text: string
  readonly tone: 'positive' | 'warning' | 'danger'
}

/** Describes the state of the service. */
export function describeService({ status }: Pick<Health, 'status'>): Description {
  return services[status] ?? toUnknown(status)
}

/** Describes the state of a chain. */
export function describeChain(chain: ChainHealth): Description {
  const description = chains[chain.status] ?? toUnknown(chain.status)
  const causes = chain.status === 'degraded' ? listCauses(chain) : []
  return causes.length > 0 ? { ...description, text: causes.join(' ') } : description
}

/** Describes the state of the database of keys and usage. */
export function describeStorage({ storage }: Pick<Health, 'storage'>): Description {
  return storages[storage] ?? toUnknown(storage)
}

/** Describes the scope of the limits of keys. */
export function describeLimits({ limits }: Pick<Health, 'limits'>): Description {
  return scopes[limits] ?? toUnknown(limits)
}

const services: Readonly<Record<Health['status'], Description>> = {
  ok: { label: 'ok', text: 'All chains and the database work.', tone: 'positive' },
  degraded: { label: 'degraded', text: 'Some parts do not work.', tone: 'warning' },
  down: { label: 'down', text: 'No chain can be read, or the database cannot be reached.', tone: 'danger' },
}

const chains: Readonly<Record<ChainHealth['status'], Description>> = {
  ok: { label: 'ok', text: 'The node answered the last poll for the newest block in time.', tone: 'positive' },
  degraded: { label: 'degraded', text: 'The node does not answer in time.', tone: 'warning' },
  lagging: { label: 'lagging', text: 'The newest block is too old for previews.', tone: 'warning' },
  unreachable: {
    label: 'unreachable',
    text: 'No node has confirmed a block for too long. Nothing works on this chain.',
    tone: 'danger',
  },
}

const storages: Readonly<Record<Health['storage'], Description>> = {
  ok: { label: 'ok', text: 'Keys and usage can be read and written.', tone: 'positive' },
  unwritable: {
    label: 'unwritable',
    text: 'Keys work, and calls are counted in memory. Keys cannot be created or changed.',
    tone: 'warning',
  },
  unreachable: {
    label: 'unreachable',
    text: 'Quotes and previously used keys work. Calls are counted in memory.',
    tone: 'danger',
  },
}

const scopes: Readonly<Record<Health['limits'], Description>> = {
  local: { label: 'local', text: 'Limits: per process.', tone: 'positive' },
  shared: { label: 'shared', text: 'Limits: shared by all processes.', tone: 'positive' },
  unreachable: {
    label: 'unreachable',
    text: 'Can’t reach Redis. Limits: per process.',
    tone: 'warning',
  },
}

const faults: Readonly<Record<string, string>> = {
  bounds: 'A price is implausible.',
  step: 'A price has changed by more than its pools accept.',
  sequencer: 'The sequencer of the network is down or has just restarted.',
  depeg: 'The dollar token is not worth a dollar.',
}

function listCauses(health: ChainHealth): readonly string[] {
  const { reason, suspect, unconfirmed = false, unreadablePools = [], disprovenPools = [] } = health
  const { faultyFeeds = [], available } = health
  const rest = available.includes('previews') ? ' Previews continue from the last confirmed block.' : ''
  const count = unreadablePools.length
  return [
    ...(reason === undefined ? [] : [`Requests to the node fail with ${reason}.${rest}`]),
    ...(suspect === 'clock' ? ['The clock of the service is probably ahead of the chain.'] : []),
    ...(suspect === 'node' ? ['Nodes have disagreed within the last ten minutes. Everything works.'] : []),
    ...(unconfirmed ? ['No second node confirms new blocks.'] : []),
    ...(disprovenPools.length === 0 ? [] : ['Nodes disagree about a pool, which is not served.']),
    ...(count === 0 ? [] : [`${count === 1 ? 'A pool' : `${count} pools`} cannot be read.`]),
    ...new Set(faultyFeeds.map((feed) => faults[feed.reason] ?? 'A price is not valid.')),
  ]
}

/** Describes an unknown state of a newer service. */
function toUnknown(label: string): Description {
  return { label, text: '', tone: 'warning' }
}

/** The state of one node of a chain. */
export type NodeState = { readonly chainId: number; readonly position: number; readonly isUp: boolean }

/** Reads the state of each node from the metrics of the service. */
export function parseNodes(metrics: string): readonly NodeState[] {
  const lines = metrics.matchAll(/^agio_chain_node_up\{chain="(\d+)",node="(\d+)"[^}]*\} (\d)/gm)
  return Array.from(lines, ([, chain, node, value]) => ({
    chainId: Number(chain),
    position: Number(node),
    isUp: value === '1',
  }))
}

/** Describes what the state of a node means for the callers of its chain. */
export function describeNode({ chainId, position, isUp }: NodeState, nodes: readonly NodeState[]): string {
  if (isUp) return 'Nothing'
  const others = nodes.filter((node) => node.chainId === chainId && node.position !== position && node.isUp)
  if (others.length === 0) return 'All calls of this chain: no other node is healthy'
  return others.length === 1 ? 'No second node confirms new blocks' : 'Nothing: other nodes serve the chain'
}
