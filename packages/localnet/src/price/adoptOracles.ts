import { createTestClient, http, parseEther, publicActions } from 'viem'
import type { LocalChain } from '../LocalChain.ts'
import { oracleAbi } from './oracleAbi.ts'

/** Makes a fork's node sign for the owners of its oracles, whose keys nobody here has, and gives them money for gas. */
export async function adoptOracles({ rpcUrl, oracles }: LocalChain): Promise<void> {
  const client = createTestClient({ mode: 'hardhat', transport: http(rpcUrl) }).extend(publicActions)
  for (const address of Object.values(oracles)) {
    const owner = await client.readContract({ address, abi: oracleAbi, functionName: 'owner' })
    await client.impersonateAccount({ address: owner })
    await client.setBalance({ address: owner, value: parseEther('10000') })
  }
}
