import type { LocalChain } from '@agio/localnet'
import { createTestClient, http, type Hex, type TypedDataDefinition } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import type { Caller } from './Caller.ts'

/** An unsigned transaction as the service returns it. */
export type Unsigned = {
  readonly to: Hex
  readonly data: Hex
  readonly value: string
  readonly chainId: number
  readonly gasLimit: string
  readonly maxFeePerGas?: string
  readonly maxPriorityFeePerGas?: string
}

/** A new wallet with 10 ETH, which signs the transactions that the service builds. */
export async function createWallet({ rpcUrl }: Pick<LocalChain, 'rpcUrl'>) {
  const account = privateKeyToAccount(generatePrivateKey())
  const test = createTestClient({ mode: 'hardhat', transport: http(rpcUrl) })
  await test.setBalance({ address: account.address, value: 10n ** 19n })
  return {
    address: account.address,
    /** Signs typed data of the service unchanged, as `eth_signTypedData_v4` does. */
    signTypedData: async (typedData: unknown): Promise<Hex> =>
      await account.signTypedData(typedData as TypedDataDefinition),
    async sign(call: Caller, transaction: Unsigned): Promise<Hex> {
      const { chainId } = transaction
      const { data, failure } = await call('transaction.nonce', { address: account.address, chainId })
      expect(failure, 'transaction.nonce succeeds').toBeUndefined()
      return await account.signTransaction({
        type: 'eip1559',
        to: transaction.to,
        data: transaction.data,
        value: BigInt(transaction.value),
        chainId,
        gas: BigInt(transaction.gasLimit),
        maxFeePerGas: BigInt(transaction.maxFeePerGas ?? 2_000_000_000),
        maxPriorityFeePerGas: BigInt(transaction.maxPriorityFeePerGas ?? 1_000_000),
        nonce: Number(data?.['nonce']),
      })
    },
  }
}
