import { domainSeparator, parseAbi, type Hex } from 'viem'
import { baseSepolia } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectNode } from '../../test/connectNode.ts'
import { localAccounts } from '../accounts/localAccounts.ts'
import { toProvider } from '../chain/Provider.ts'
import { createHre } from '../node/createHre.ts'
import { startNode } from '../node/startNode.ts'
import { toCreate2Address } from './create2.ts'
import { placeCommonContracts, readPermit2 } from './placeCommonContracts.ts'

const address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const chainId = 421614

const running = new AsyncDisposableStack()
let node: Awaited<ReturnType<typeof startNode>>

beforeAll(async () => {
  node = await startNode(await createHre(running), { chainId, port: 0, blockIntervalMs: 0 })
})

afterAll(async () => {
  await node?.stop()
  await running.disposeAsync()
})

test('the creation code of Permit2 has the address that Permit2 has on all networks', async () => {
  expect(toCreate2Address(await readPermit2())).toBe(address)
})

test('a node without Permit2 gets it with the separator of its chain, and one with it gets no transaction', async () => {
  const client = connectNode(node)
  expect(await client.getCode({ address })).toBeUndefined()
  await placeCommonContracts(toProvider(node.rpcUrl))
  const code: Hex = (await client.getCode({ address })) ?? '0x'
  expect(code).toHaveLength(2 + 2 * 9152)
  const abi = parseAbi(['function DOMAIN_SEPARATOR() view returns (bytes32)'])
  const separator = await client.readContract({ address, abi, functionName: 'DOMAIN_SEPARATOR' })
  expect(separator).toBe(domainSeparator({ domain: { name: 'Permit2', chainId, verifyingContract: address } }))
  // The constructor has cached it: the code contains it, so it is not computed in each call.
  expect(code).toContain(separator.slice(2))
  await placeCommonContracts(toProvider(node.rpcUrl))
  expect(await client.getTransactionCount({ address: localAccounts[0].address })).toBe(1)
})

test('viem reads several contracts of a new chain at once, by Multicall3 at its usual address', async () => {
  await placeCommonContracts(toProvider(node.rpcUrl))
  const client = connectNode(node)
  const { address: multicallAddress } = baseSepolia.contracts.multicall3
  const abi = parseAbi([
    'function getEthBalance(address) view returns (uint256)',
    'function getChainId() view returns (uint256)',
  ])
  const contract = { address: multicallAddress, abi } as const
  const results = await client.multicall({
    multicallAddress,
    contracts: [
      { ...contract, functionName: 'getChainId' },
      { ...contract, functionName: 'getEthBalance', args: [localAccounts[1].address] },
    ],
  })
  expect(results.map(({ result }) => result)).toEqual([421614n, 10_000n * 10n ** 18n])
})
