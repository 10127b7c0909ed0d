import type { LocalChain } from '@agio/localnet'
import { createPublicClient, http, type Hex, type TypedDataDefinition } from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { toNumbers, type Mined, type Sendable, type Wallet } from './Wallet.ts'

/** A new wallet that is built with viem, without native currency. */
export function createViemWallet({ rpcUrl, chainId }: Pick<LocalChain, 'rpcUrl' | 'chainId'>): Wallet {
  const client = createPublicClient({ transport: http(rpcUrl), pollingInterval: 20 })
  const account: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey())
  const { address } = account
  const countSent = () => client.getTransactionCount({ address, blockTag: 'pending' })
  const prepare = async (sendable: Sendable) => {
    const { to, data } = sendable
    return { chainId, nonce: await countSent(), to, data, ...toNumbers(sendable) }
  }

  async function submit(serializedTransaction: Hex): Promise<Mined> {
    const hash = await client.sendRawTransaction({ serializedTransaction })
    const { status, gasUsed } = await client.waitForTransactionReceipt({ hash })
    return { hash, status, gasUsed }
  }

  const sign = async (sendable: Sendable) =>
    await account.signTransaction({ type: 'eip1559', ...(await prepare(sendable)) })

  return {
    address,
    countSent,
    sign,
    signTypedData: (typedData) => account.signTypedData(typedData as unknown as TypedDataDefinition),
    send: async (sendable) => await submit(await sign(sendable)),
    async delegate(contractAddress) {
      const prepared = await prepare({ to: '0x000000000000000000000000000000000000dEaD', data: '0x' })
      // The transaction itself takes the nonce before the authorization's nonce.
      const authorization = { contractAddress, chainId, nonce: prepared.nonce + 1 }
      const authorizationList = [await account.signAuthorization(authorization)]
      return await submit(await account.signTransaction({ type: 'eip7702', ...prepared, authorizationList }))
    },
  }
}
