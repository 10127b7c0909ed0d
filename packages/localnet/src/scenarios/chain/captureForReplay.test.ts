import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { localAccounts } from '../../accounts/localAccounts.ts'
import { createChainOperator } from '../node/createChainOperator.ts'
import { captureForReplay } from './captureForReplay.ts'
import { setUpLocalnet } from '../../../test/startTestLocalnet.ts'

// An account without a known key.
const keyless = '0x00000000000000000000000000000000000a910a'

const localnet = setUpLocalnet()

test('captureForReplay replays the mined and the pending transactions of reverted blocks, signed or impersonated', async () => {
  const operator = createChainOperator(localnet.chains[84532], { blockIntervalMs: 2000 })
  const { client } = operator
  const account = privateKeyToAccount(localAccounts[4].privateKey)
  await client.impersonateAccount({ address: keyless })
  await client.setBalance({ address: keyless, value: 10n ** 18n })
  const fees = { gas: 21_000n, maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1n } as const
  const sendSigned = async (nonce: number): Promise<Hex> => {
    const transfer = { type: 'eip1559', chainId: 84532, to: keyless, nonce, ...fees } as const
    return await client.sendRawTransaction({ serializedTransaction: await account.signTransaction(transfer) })
  }

  await operator.stopMining()
  const hashes = [await sendSigned(0)]
  const id = await client.snapshot()
  const before = await operator.readNewest()
  hashes.push(await sendSigned(1))
  await client.sendTransaction({ account: keyless, to: keyless, chain: null })
  await client.mine({ blocks: 1 })
  // The last one cannot be mined before the nonce 3.
  hashes.push(await sendSigned(2), await sendSigned(4))
  const captured = await captureForReplay(operator, before)
  await client.revert({ id })
  await captured.replay()
  await client.mine({ blocks: 1 })

  const mined = await client.getBlock({ blockNumber: before + 1n, includeTransactions: true })
  expect(mined.transactions.map(({ hash }) => hash)).toEqual(expect.arrayContaining(hashes.slice(0, 3)))
  expect(mined.transactions).toHaveLength(4)
  expect(await client.getTransactionCount({ address: keyless })).toBe(1)
  await sendSigned(3)
  await client.mine({ blocks: 1 })
  expect(await client.getTransactionReceipt({ hash: hashes[3] as Hex })).toMatchObject({ blockNumber: before + 2n })
})
