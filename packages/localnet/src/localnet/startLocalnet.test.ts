import { Network } from '@agio/core'
import { tokenAbi } from '@agio/chain/abi'
import { once } from 'node:events'
import { parseEther, parseUnits, type Address } from 'viem'
import { describe, expect, test } from 'vitest'
import { connectNode } from '../../test/connectNode.ts'
import { setUpLocalnet } from '../../test/startTestLocalnet.ts'
import { localAccounts } from '../accounts/localAccounts.ts'
import type { LocalChain } from '../chain/LocalChain.ts'
import { assertPortFree, findFreePorts } from '../node/assertPortFree.ts'
import { toProvider } from '../chain/Provider.ts'
import { deploymentMethods } from '../node/rememberDeployment.ts'
import { startLocalnet } from './startLocalnet.ts'

const localnet = setUpLocalnet()

describe.each(Network.chainIds)('chain %i', (chainId) => {
  test('a local chain has its chain id, and every local account holds 10,000 native and no tokens', async () => {
    const { tokens } = localnet.chains[chainId]
    const client = connectNode(localnet.chains[chainId])
    expect(await client.getChainId()).toBe(chainId)
    for (const { address } of localAccounts.slice(1)) {
      expect(await client.getBalance({ address })).toBe(parseEther('10000'))
      expect(await balanceOf(tokens.tUSD, address)).toBe(0n)
    }

    async function balanceOf(token: Address, owner: Address): Promise<bigint> {
      return await client.readContract({ address: token, abi: tokenAbi, functionName: 'balanceOf', args: [owner] })
    }
  })

  test('a local node keeps idle connections open for longer than a machine stands still', async () => {
    const { headers } = await fetch(localnet.chains[chainId].rpcUrl, { method: 'POST', body: '{}' })
    expect(headers.get('keep-alive')).toBe('timeout=65')
  })

  test.each([
    ['tAUD', 65_120_000n],
    ['tEUR', 108_450_000n],
  ] as const)('the %s pool of a local chain holds a million dollars on each side', async (symbol, price) => {
    const { tokens, pools } = localnet.chains[chainId]
    const client = connectNode(localnet.chains[chainId])
    const read = { abi: tokenAbi, functionName: 'balanceOf', args: [pools[`${symbol}/tUSD`]] } as const
    const dollars = await client.readContract({ ...read, address: tokens.tUSD })
    const foreign = await client.readContract({ ...read, address: tokens[symbol] })
    expect(dollars).toBe(parseUnits('1000000', 6))
    expect((foreign * price) / 10n ** 8n).toBe(parseUnits('1000000', 6))
  })
})

test('the contract addresses of the local chains are the same on all chains and at every start', async () => {
  await using again = await startLocalnet({ rpcPort: 0, deploymentsDir: localnet.deploymentsDir })
  const [first, ...others] = [localnet, again].flatMap(({ chains }) => Object.values(chains).map(namesOf))
  for (const other of others) expect(other).toEqual(first)
  const { codeHashes: _, ...addresses } = first ?? {}
  expect(addresses).toMatchSnapshot()
})

test('Hardhat in another process can read the deployment of a local node', async () => {
  const { rpcUrl, deployment } = localnet.chains[84532]
  expect(await toProvider(rpcUrl).request({ method: deploymentMethods.get })).toEqual(deployment)
})

test('a localnet that is stopped closes every port, even while a WebSocket is open', async () => {
  const stopped = await startLocalnet({ rpcPort: 0, deploymentsDir: localnet.deploymentsDir })
  const urls = Object.values(stopped.chains).map(({ rpcUrl }) => new URL(rpcUrl))
  const socket = new WebSocket(`ws://${urls[0]?.host}`)
  await once(socket, 'open')
  await stopped.stop()
  for (const { port } of urls) await expect(assertPortFree(Number(port))).resolves.toBeUndefined()
})

test('error: when the second chain cannot start, startLocalnet stops the first', async () => {
  const rpcPort = await findFreePorts()
  const forks = { 421614: localnet.chains[84532].rpcUrl }
  await expect(startLocalnet({ rpcPort, deploymentsDir: localnet.deploymentsDir, forks })).rejects.toThrow(
    'Cannot fork chain 421614',
  )
  await expect(assertPortFree(rpcPort)).resolves.toBeUndefined()
})

function namesOf({ deployment, tokens, pools, oracles }: LocalChain) {
  const { chainId: _, local: __, ...addresses } = deployment
  return { ...addresses, tokens, pools, oracles }
}
