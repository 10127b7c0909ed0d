import { ServiceError, type Address } from '@agio/core'
import {
  createTestClient,
  http,
  parseEther,
  publicActions,
  walletActions,
  type Hex,
  type HttpTransportConfig,
} from 'viem'
import { localAccounts } from '../../accounts/localAccounts.ts'
import type { LocalChain } from '../../LocalChain.ts'

const gasMoney = parseEther('1')

/** Changes a local chain in anybody's name, on its node's own port. */
export function createOperator(
  { chainId, rpcUrl }: Pick<LocalChain, 'chainId' | 'rpcUrl'>,
  { blockIntervalMs }: createOperator.Settings,
): Operator {
  const client = connect(rpcUrl, { timeout: 5000, retryCount: 1 })
  // What is sent twice may be mined twice.
  const sender = connect(rpcUrl, { retryCount: 0 })

  /** The node signs for the accounts that it knows; for others it does so once it is told to. */
  async function impersonate(address: Address): Promise<void> {
    if (localAccounts.some((account) => account.address === address)) return
    await client.impersonateAccount({ address })
    if ((await client.getBalance({ address })) < gasMoney) await client.setBalance({ address, value: gasMoney })
  }
  return {
    client,
    async sendAs(from, to, data) {
      await impersonate(from)
      const hash = await sender.sendTransaction({ account: from, to, data, chain: null, gas: 1_000_000n })
      const { status } = await client.waitForTransactionReceipt({ hash, timeout: 10_000 })
      if (status === 'success') return
      throw new ServiceError('svc/upstream-error', `Cannot change chain ${chainId}: ${to} refuses it`, {})
    },
    async stopMining() {
      await client.setAutomine(false)
      await client.setIntervalMining({ interval: 0 })
    },
    async startMining() {
      await client.setAutomine(true)
      await client.setIntervalMining({ interval: blockIntervalMs / 1000 })
    },
    readNewest: () => client.getBlockNumber({ cacheTime: 0 }),
  }
}

export declare namespace createOperator {
  type Settings = {
    /** Time between two blocks without transactions, once mining goes on again. */
    readonly blockIntervalMs: number
  }
}

export type Operator = {
  /** For reads, and for what only a test node does. */
  readonly client: Client
  /** Calls a contract in the name of any account or contract. @throws `svc/upstream-error` if it reverts */
  sendAs(from: Address, to: Address, data: Hex): Promise<void>
  /** Leaves transactions pending. */
  stopMining(): Promise<void>
  /** Mines each transaction as it comes, and blocks in between, as at the start. */
  startMining(): Promise<void>
  /** The number of the newest block. */
  readNewest(): Promise<bigint>
}

type Client = ReturnType<typeof connect>

function connect(rpcUrl: string, options: HttpTransportConfig) {
  return createTestClient({ mode: 'hardhat', transport: http(rpcUrl, options), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
}
