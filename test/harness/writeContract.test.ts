import { poolAbi, tokenAbi } from '@agio/chain/abi'
import { encodeFunctionData, maxUint256 } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, inject, it } from 'vitest'
import { connectOwner } from './connectOwner.ts'
import { sendTransaction, waitForSuccess, writeContract } from './writeContract.ts'

const chain = inject('targets')[0]?.chains[84532]
if (!chain) throw new Error('Cannot run the test: no service is running')
const { client } = connectOwner(chain)
const wallet = privateKeyToAccount(generatePrivateKey()).address

it('a contract write returns the receipt of its transaction, in the name of any account', async () => {
  const address = chain.tokens.tAUD
  const mint = { address, abi: tokenAbi, functionName: 'mint', args: [wallet, 5n] } as const
  expect(await writeContract(client, mint)).toMatchObject({ status: 'success', to: address.toLowerCase() })
  await client.setBalance({ address: wallet, value: 10n ** 18n })
  const transfer = { address, abi: tokenAbi, functionName: 'transfer', args: [client.account.address, 5n] } as const
  const { from } = await writeContract(client, { ...transfer, account: wallet })
  expect(from).toBe(wallet.toLowerCase())
})

it('a contract write that reverts rejects with the name of the revert', async () => {
  const args = [chain.tokens.tAUD, chain.tokens.tAUD, 1n, 1n, maxUint256] as const
  const swap = { address: chain.pools['tAUD/tUSD'], abi: poolAbi, functionName: 'originSwap', args } as const
  await expect(writeContract(client, swap)).rejects.toThrow('SameToken')
})

it('a transaction that runs out of gas rejects', async () => {
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [wallet, 1n] })
  const hash = await client.sendTransaction({ to: chain.tokens.tAUD, data, chain: null, gas: 25_000n })
  await expect(waitForSuccess(client, hash)).rejects.toThrow('gas')
})

it('a transfer of native currency returns its receipt', async () => {
  expect(await sendTransaction(client, { to: wallet, value: 1n })).toMatchObject({ status: 'success' })
})
