import { Errors, type Address } from '@agio/core'
import {
  createTestClient,
  http,
  parseEther,
  publicActions,
  walletActions,
  type Hex,
  type HttpTransport,
  type HttpTransportConfig,
  type PublicActions,
  type TestClient,
  type WalletActions,
  BaseError,
  HttpRequestError,
  TimeoutError,
  WaitForTransactionReceiptTimeoutError,
} from 'viem'
import { localAccounts } from '../../accounts/localAccounts.ts'
import type { LocalChain } from '../../chain/LocalChain.ts'

const gasMoney = parseEther('1')

/** Creates an operator that changes a local chain as any account, on the node's own port. */
export function createChainOperator(
  { chainId, rpcUrl }: Pick<LocalChain, 'chainId' | 'rpcUrl'>,
  { blockIntervalMs }: Options,
) {
  const client = connect(rpcUrl, { timeout: 5000, retryCount: 1 })
  // No retries: a transaction that is sent twice may be mined twice.
  const sender = connect(rpcUrl, { retryCount: 0 })

  /** Makes the node sign for an account. It always signs for its own accounts. */
  async function impersonate(address: Address): Promise<void> {
    if (localAccounts.some((account) => account.address === address)) return
    await client.impersonateAccount({ address })
    if ((await client.getBalance({ address })) < gasMoney) await client.setBalance({ address, value: gasMoney })
  }
  return {
    /** The client for reads, and for the methods of a test node. */
    client,
    /** Sends a transaction as any account or contract, and asserts its receipt. @throws `svc/upstream-error` if it reverts */
    async sendAs(from: Address, to: Address, data: Hex): Promise<void> {
      await impersonate(from)
      const hash = await sender.sendTransaction({ account: from, to, data, chain: null, gas: 1_000_000n })
      const { status } = await client.waitForTransactionReceipt({ hash, timeout: 10_000 })
      if (status === 'success') return
      const reason = `contract ${to} reverted transaction ${hash}`
      throw Errors.upstreamError({ action: `change chain ${chainId}`, reason })
    },
    /** Stops mining: transactions stay pending. */
    async stopMining(): Promise<void> {
      await client.setAutomine(false)
      await client.setIntervalMining({ interval: 0 })
    },
    /** Mines each transaction at once, and one block per interval, as at the start. */
    async startMining(): Promise<void> {
      await client.setAutomine(true)
      await client.setIntervalMining({ interval: blockIntervalMs / 1000 })
    },
    /** The number of the newest block. */
    readNewest: () => client.getBlockNumber({ cacheTime: 0 }),
  }
}

type Options = {
  /** Time between two empty blocks after mining resumes. */
  readonly blockIntervalMs: number
}

/** Controls a local chain. */
export type ChainOperator = ReturnType<typeof createChainOperator>

type Client = TestClient<'hardhat', HttpTransport> & PublicActions & WalletActions

function connect(rpcUrl: string, options: HttpTransportConfig): Client {
  return createTestClient({ mode: 'hardhat', transport: http(rpcUrl, options), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
}

/** Converts an error of a local node into a `svc/upstream-*` error; returns any other error unchanged. */
export function toNodeError(error: unknown): unknown {
  // Node 22 has no class SuppressedError.
  if (error instanceof Error && 'suppressed' in error && 'error' in error) return toNodeError(error.error)
  if (!(error instanceof BaseError)) return error
  const change = { action: 'change the chain', cause: error }
  if (is(error, TimeoutError) || is(error, WaitForTransactionReceiptTimeoutError)) {
    return Errors.upstreamTimeout({ ...change, reason: 'its node took too long' })
  }
  if (is(error, HttpRequestError))
    return Errors.upstreamUnavailable({ ...change, reason: 'its node cannot be reached' })
  return Errors.upstreamError({ ...change, reason: 'its node rejected the request' })
}

function is(error: BaseError, kind: new (...parameters: never[]) => Error): boolean {
  return error.walk((cause) => cause instanceof kind) instanceof kind
}
