import { parseAbi, zeroHash, type Hex } from 'viem'
import { baseSepolia } from 'viem/chains'
import { expect, test } from 'vitest'
import { connectNode } from '../../test/connectNode.ts'
import { localAccounts } from '../accounts/localAccounts.ts'
import { createHre } from '../node/createHre.ts'
import { startNode } from '../node/startNode.ts'
import { toCreate2Address } from './create2.ts'
import { placeCommonContracts, readPermit2 } from './placeCommonContracts.ts'

const address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

test('the creation code of Permit2 has the address that Permit2 has on all networks', async () => {
  expect(toCreate2Address(await readPermit2())).toBe(address)
})

test('a node without Permit2 gets it with the separator of its chain, and one with it gets no transaction', async () => {
  await using running = new AsyncDisposableStack()
  const node = await startNode(await createHre(running), { chainId: 421614, port: 0, blockIntervalMs: 0 })
  const client = connectNode(node)
  const from = localAccounts[0].address
  try {
    expect(await client.getCode({ address })).toBeUndefined()
    await placeCommonContracts(node)
    const code: Hex = (await client.getCode({ address })) ?? '0x'
    expect(code).toHaveLength(2 + 2 * 9152)
    const abi = parseAbi(['function DOMAIN_SEPARATOR() view returns (bytes32)'])
    const separator = await client.readContract({ address, abi, functionName: 'DOMAIN_SEPARATOR' })
    expect(separator).not.toBe(zeroHash)
    // The constructor has cached it: the code contains it, so it is not computed in each call.
    expect(code).toContain(separator.slice(2))
    await placeCommonContracts(node)
    expect(await client.getTransactionCount({ address: from })).toBe(1)
  } finally {
    await node.stop()
  }
})

test('viem reads several contracts of a new chain at once, by Multicall3 at its usual address', async () => {
  await using running = new AsyncDisposableStack()
  const node = await startNode(await createHre(running), { chainId: 84532, port: 0, blockIntervalMs: 0 })
  running.defer(() => node.stop())
  await placeCommonContracts(node)
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
  expect(results.map(({ result }) => result)).toEqual([84532n, 10_000n * 10n ** 18n])
})
