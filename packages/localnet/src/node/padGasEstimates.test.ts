import { once } from 'node:events'
import { numberToHex, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { connectNode, waitForSuccess, writeContract } from '../../test/connectNode.ts'
import { localAccounts } from '../accounts/localAccounts.ts'
import { oracleAbi } from '../price/keeper.ts'
import { setUpLocalnet } from '../../test/startTestLocalnet.ts'

const [{ address: account }, { address: to }] = localAccounts

const localnet = setUpLocalnet()

test('the gas estimate of a price push within the second of the last one is enough for a push one second later', async () => {
  const { oracles } = localnet.chains[84532]
  const client = connectNode(localnet.chains[84532])
  const push = { address: oracles.tAUD, abi: oracleAbi, functionName: 'updateAnswer', args: [65_120_000n] } as const
  const { timestamp } = await client.getBlock()
  await client.setIntervalMining({ interval: 0 })
  const pushed = timestamp + 100n
  await client.setNextBlockTimestamp({ timestamp: pushed })
  await writeContract(client, { ...push, account })
  await client.setNextBlockTimestamp({ timestamp: pushed })
  const gas = await client.estimateContractGas({ ...push, account })
  await client.setNextBlockTimestamp({ timestamp: pushed + 1n })
  const hash = await client.writeContract({ ...push, account, chain: null, gas })
  await expect(waitForSuccess(client, hash)).resolves.toMatchObject({ status: 'success' })
})

const estimate = { jsonrpc: '2.0', id: 1, method: 'eth_estimateGas', params: [{ from: account, to }] } as const
// EDR estimates 21,001 for a transfer.
const padded = { jsonrpc: '2.0', id: 1, result: numberToHex(25_202) }

test.each([
  ['an eth_estimateGas request gets 20 % on top of the estimate, over HTTP and over WebSocket', estimate, padded],
  [
    'each eth_estimateGas request of a batch gets 20 % on top of the estimate, over HTTP and over WebSocket',
    [estimate, estimate],
    [padded, padded],
  ],
])('%s', async (_, body, expected) => {
  const { rpcUrl } = localnet.chains[421614]
  expect(await postHttp(rpcUrl, body)).toEqual(expected)
  expect(await postWebSocket(rpcUrl, body)).toEqual(expected)
})

test('a padded gas estimate never exceeds the block gas limit', async () => {
  const client = connectNode(localnet.chains[421614])
  const { gasLimit } = await client.getBlock()
  await client.setBlockGasLimit({ gasLimit: 22_000n })
  expect(await client.estimateGas({ account, to })).toBe(22_000n)
  await client.setBlockGasLimit({ gasLimit })
})

test('a padded gas estimate never exceeds the gas limit of one transaction', async () => {
  // Each byte costs 40 gas: about 15 million in all, and 18 with the margin.
  const data = `0x${'01'.repeat(370_000)}` as const
  expect(await connectNode(localnet.chains[421614]).estimateGas({ account, to, data })).toBe(2n ** 24n)
})

test('error: a gas estimate of a call that reverts returns the revert', async () => {
  const { rpcUrl, oracles } = localnet.chains[421614]
  const push = { address: oracles.tAUD, abi: oracleAbi, functionName: 'updateAnswer', args: [1n] } as const
  const selector = toFunctionSelector('OwnableUnauthorizedAccount(address)')
  await expect(connectNode({ rpcUrl }).estimateContractGas({ ...push, account: to })).rejects.toThrow(selector)
})

async function postHttp(url: string, body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  return await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}

async function postWebSocket(url: string, body: unknown): Promise<unknown> {
  const socket = new WebSocket(url.replace('http', 'ws'))
  await once(socket, 'open')
  socket.send(JSON.stringify(body))
  const [{ data }] = (await once(socket, 'message')) as [{ data: string }]
  socket.close()
  return JSON.parse(data)
}
