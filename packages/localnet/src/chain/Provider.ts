import {
  createClient,
  createTestClient,
  custom,
  http,
  publicActions,
  type CustomTransport,
  type EIP1193RequestFn,
  type PublicActions,
  type TestClient,
} from 'viem'

/** An EIP-1193 provider of a chain, such as a connection of Hardhat or a client of viem. */
export type Provider = { request(request: ProviderRequest): Promise<unknown> }

type ProviderRequest = { readonly method: string; readonly params?: readonly unknown[] }

/** Creates a provider that sends its requests to a node, and repeats those that the node does not answer. */
export function toProvider(rpcUrl: string, options: Options = {}): Provider {
  return createClient({ transport: http(rpcUrl, options) }) as { readonly request: EIP1193RequestFn }
}

type Options = {
  /** Whether to send requests of the same moment together. Default: false. */
  readonly batch?: boolean
  /** How often to repeat a request that the node does not answer. Default: 3. */
  readonly retryCount?: number
}

/** Returns the transport of viem for a provider. The provider itself repeats requests. */
export function toTransport(provider: Provider): CustomTransport {
  return custom(provider, { retryCount: 0 })
}

/** Connects to the node of a local chain, for reads and the methods of test nodes. */
export function connectLocalNode(provider: Provider): LocalNodeClient {
  return createTestClient({ mode: 'hardhat', transport: toTransport(provider) }).extend(publicActions)
}

/** A client of a local node. */
export type LocalNodeClient = TestClient<'hardhat', CustomTransport> & PublicActions<CustomTransport>
