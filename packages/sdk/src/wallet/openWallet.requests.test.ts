import { describe, expect, it } from 'vitest'
import {
  account,
  batch,
  chainId,
  createProvider,
  hash,
  other,
  rpcError,
  transaction,
} from '../../test/createProvider.ts'
import { openWallet } from './openWallet.ts'

const { maxFeePerGas: _, maxPriorityFeePerGas: __, ...withoutFees } = transaction

describe('signTypedData', () => {
  const typedData = {
    domain: { chainId },
    types: { Permit: [] },
    primaryType: 'Permit',
    message: { value: '1' },
  } as const
  const toSign = structuredClone(typedData) as never
  const plain = (v: string) => `0x${'5a'.repeat(64)}${v}`

  it.each([
    [plain('00'), plain('1b')],
    [plain('01'), plain('1c')],
    [`0x${'01'.repeat(100)}`, `0x${'01'.repeat(100)}`],
  ])('the signature %s of a wallet is returned with v instead of a parity', async (signature, expected) => {
    const provider = createProvider({ eth_signTypedData_v4: signature })
    expect(await (await openWallet(provider)).signTypedData(toSign)).toBe(expected)
    expect(provider.paramsOf('eth_signTypedData_v4')).toEqual([[account, JSON.stringify(typedData)]])
  })

  it('error: wallet/failed for what is not a signature', async () => {
    for (const eth_signTypedData_v4 of [null, '0x5', 'signed', { r: '0x' }]) {
      const signing = (await openWallet(createProvider({ eth_signTypedData_v4 }))).signTypedData(toSign)
      await expect(signing).rejects.toMatchObject({
        code: 'wallet/failed',
        details: { method: 'eth_signTypedData_v4' },
      })
    }
  })
})

describe('sendTransaction', () => {
  it('the wallet gets the transaction as the service built it, without its fees, and its hash is returned in lower case', async () => {
    const provider = createProvider({ eth_sendTransaction: hash.toUpperCase().replace('0X', '0x') })
    expect(await (await openWallet(provider)).sendTransaction(transaction)).toBe(hash)
    expect(provider.paramsOf('eth_sendTransaction')).toEqual([[withoutFees]])
  })

  it('the wallet gets the fees and the nonce of a replacement', async () => {
    const provider = createProvider({ eth_sendTransaction: hash })
    await (await openWallet(provider)).sendTransaction(transaction, 7)
    expect(provider.paramsOf('eth_sendTransaction')).toEqual([[{ ...transaction, nonce: '0x7' }]])
  })

  it('the market has the newest and the highest base fee and median tip, which is zero on a network without tips', async () => {
    const baseFeePerGas = ['0x1', '0x9', '0x3', '0x4']
    const eth_feeHistory = { baseFeePerGas, reward: [['0x99'], ['0x98'], ['0x9'], ['0x5'], ['0x7'], ['0x1'], ['0x8']] }
    const read = async (history: unknown) =>
      await (await openWallet(createProvider({ eth_feeHistory: history }))).readFeeMarket()
    expect(await read(eth_feeHistory)).toEqual({
      newest: { baseFeePerGas: 4n, medianTip: 7n },
      highest: { baseFeePerGas: 9n, medianTip: 9n },
    })
    expect(await read({ baseFeePerGas })).toEqual({
      newest: { baseFeePerGas: 4n, medianTip: 0n },
      highest: { baseFeePerGas: 9n, medianTip: 0n },
    })
    for (const reward of [null, [null], [[]], [['-0x1']], ['0x5']]) {
      expect(await read({ baseFeePerGas, reward })).toMatchObject({ newest: { baseFeePerGas: 4n, medianTip: 0n } })
    }
    for (const malformed of [null, {}, { baseFeePerGas: [] }, { baseFeePerGas: ['0x'] }]) {
      await expect(read(malformed)).rejects.toMatchObject({ code: 'wallet/failed' })
    }
  })

  it('a call has no estimate if the node refuses to estimate it', async () => {
    const estimate = async (eth_estimateGas: unknown) =>
      await (await openWallet(createProvider({ eth_estimateGas }))).estimateGas(transaction)
    expect(await estimate('0x5208')).toBe(21_000n)
    expect(await estimate(rpcError(3))).toBeUndefined()
    expect(await estimate(rpcError(4200))).toBeUndefined()
  })

  it('only the fields of a transaction, of calls and of typed data reach the wallet', async () => {
    const signature = `0x${'5a'.repeat(64)}1b`
    const responses = { eth_sendTransaction: hash, wallet_sendCalls: null, eth_signTypedData_v4: signature }
    const provider = createProvider(responses)
    const session = await openWallet(provider)
    const typedData = { domain: {}, types: {}, primaryType: 'Permit', message: {} }
    const more = { authorizationList: [{ address: other }], nonce: '0x0', capabilities: { paymasterService: {} } }
    await session.sendTransaction({ ...transaction, ...more })
    await session.signTypedData({ ...typedData, ...more })
    await session.sendCalls({ ...batch, calls: batch.calls.map((call) => ({ ...call, ...more })) })
    expect(provider.paramsOf('eth_sendTransaction')).toEqual([[withoutFees]])
    expect(provider.paramsOf('eth_signTypedData_v4')).toEqual([[account, JSON.stringify(typedData)]])
    expect(provider.paramsOf('wallet_sendCalls')).toMatchObject([[{ calls: [{}] }]])
    expect(JSON.stringify(provider.paramsOf('wallet_sendCalls'))).not.toMatch(/authorizationList|capabilities|nonce/)
  })

  it('error: wallet/wrong-chain if the wallet is disconnected from the network', async () => {
    for (const code of [4900, 4901]) {
      const sending = (await openWallet(createProvider({ eth_sendTransaction: rpcError(code) }))).sendTransaction(
        transaction,
      )
      const details = { expected: chainId }
      await expect(sending).rejects.toMatchObject({ code: 'wallet/wrong-chain', details })
    }
  })

  it('what a wallet returns instead of a hash is undefined, because the chain decides what was sent', async () => {
    for (const eth_sendTransaction of ['0x', 'f81d4fae-7dec-11d0', 7, null, { hash }]) {
      expect(
        await (await openWallet(createProvider({ eth_sendTransaction }))).sendTransaction(transaction),
      ).toBeUndefined()
    }
  })
})

describe('sendCalls', () => {
  it('the wallet gets an atomic batch with the id of the app', async () => {
    const provider = createProvider({ wallet_sendCalls: { id: batch.id } })
    expect(await (await openWallet(provider)).sendCalls(batch)).toBe(batch.id)
    const { id, calls } = batch
    const sent = { version: '2.0.0', id, from: account, chainId: '0x14a34', atomicRequired: true, calls }
    expect(provider.paramsOf('wallet_sendCalls')).toEqual([[sent]])
  })

  it.each([
    [{ id: '0xb1' }, '0xb1'],
    ['0xb1', '0xb1'],
    [null, batch.id],
    [rpcError(5720), batch.id],
    [rpcError(-32603, { data: { originalError: { code: 5720 } } }), batch.id],
  ])('the id of a batch that the wallet responds to with %j is %s', async (wallet_sendCalls, id) => {
    expect(await (await openWallet(createProvider({ wallet_sendCalls }))).sendCalls(batch)).toBe(id)
  })
})

describe('getCalls', () => {
  const receipts = [{ status: '0x1', transactionHash: hash }]

  it.each([
    [{ status: 100 }, { isFailed: false }],
    [
      { status: 200, receipts },
      { isFailed: false, transactionHash: hash },
    ],
    [{ status: 400 }, { isFailed: true }],
    [
      { status: 500, receipts },
      { isFailed: true, transactionHash: hash },
    ],
    [{ status: 'CONFIRMED', receipts: [] }, { isFailed: false }],
    [{ status: '0xc8', receipts: [{ userOpHash: hash }] }, { isFailed: false }],
    [{}, { isFailed: false }],
    [null, undefined],
    [rpcError(5730), undefined],
    [rpcError(-32603, { cause: { code: 5730 } }), undefined],
  ])('getCalls of %j is %j', async (wallet_getCallsStatus, expected) => {
    const provider = createProvider({ wallet_getCallsStatus })
    expect(await (await openWallet(provider)).findCalls(batch.id)).toEqual(expected)
  })

  it('error: wallet/failed for any other error', async () => {
    const asked = (await openWallet(createProvider({ wallet_getCallsStatus: rpcError(-32000) }))).findCalls(batch.id)
    await expect(asked).rejects.toMatchObject({ code: 'wallet/failed' })
  })
})

describe('reads', () => {
  const minedTransaction = { hash, from: account, to: other, input: '0xAB', nonce: '0x7', value: '0x0' }
  const read = { hash, from: account.toLowerCase(), to: other.toLowerCase(), input: '0xab', nonce: 7 }

  it('getBlock returns the transactions of a block, a creation without `to`, and getHead the newest without them', async () => {
    const creation = { ...minedTransaction, to: null }
    const head = { number: '0x10', hash, timestamp: '0x64' }
    const eth_getBlockByNumber = { ...head, transactions: [minedTransaction, creation] }
    const provider = createProvider({ eth_getBlockByNumber })
    const session = await openWallet(provider)
    const { to: _, ...created } = read
    expect(await session.readBlock(16)).toEqual({ number: 16, hash, timestamp: 100, transactions: [read, created] })
    expect(await session.readHead()).toEqual({ number: 16, hash, timestamp: 100 })
    expect(provider.paramsOf('eth_getBlockByNumber')).toEqual([
      ['0x10', true],
      ['latest', false],
    ])
  })

  it('hasCode is whether the account has code, and listTransfers returns each transaction once', async () => {
    const blockHash = `0x${'b1'.repeat(32)}`
    const hashes = [hash, hash.toUpperCase().replace('X', 'x')]
    const eth_getLogs = hashes.map((transactionHash) => ({ transactionHash, blockHash }))
    const codes = ['0x', '0xef0100']
    const provider = createProvider({ eth_getLogs, eth_getCode: () => codes.shift() })
    const session = await openWallet(provider)
    expect([await session.hasCode(), await session.hasCode()]).toEqual([false, true])
    const found = [{ transactionHash: hash, blockHash }]
    expect(await session.listTransfers(other, { from: 16, to: 17 })).toEqual(found)
    expect(await session.listTransfers(other, { hash: blockHash as `0x${string}` })).toEqual(found)
    const topics = [expect.stringMatching(/^0xddf252ad/), `0x${account.slice(2).toLowerCase().padStart(64, '0')}`]
    expect(provider.paramsOf('eth_getLogs')).toEqual([
      [{ address: other, topics, fromBlock: '0x10', toBlock: '0x11' }],
      [{ address: other, topics, blockHash }],
    ])
  })

  it('getTransaction returns value and block of a transaction where the node does, and undefined for an unknown one', async () => {
    const { value: _, ...partial } = minedTransaction
    const found = [partial, { ...minedTransaction, value: '0x5', blockNumber: '0x10' }, null]
    const session = await openWallet(createProvider({ eth_getTransactionByHash: () => found.shift() }))
    expect(await session.findTransaction(hash)).toEqual(read)
    expect(await session.findTransaction(hash)).toEqual({ ...read, valueWei: 5n, blockNumber: 16 })
    expect(await session.findTransaction(hash)).toBeUndefined()
  })

  it('quantities may be hex or numbers', async () => {
    const provider = createProvider({ eth_chainId: 84532, eth_getTransactionCount: '0x0' })
    const session = await openWallet(provider)
    expect([await session.readChainId(), await session.countTransactions('pending')]).toEqual([84532, 0])
  })

  it('the pending count is at least the latest count, also at a node that has no pending block', async () => {
    const count = async (pending: unknown) => {
      const eth_getTransactionCount = ([, tag]: readonly unknown[]) => (tag === 'pending' ? pending : '0x4')
      const provider = createProvider({ eth_getTransactionCount })
      return await (await openWallet(provider)).countTransactions('pending')
    }
    expect([await count('0x5'), await count('0x0'), await count(null)]).toEqual([5, 4, 4])
  })

  it('a local account signs with the latest count where the pending count is missing or lower', async () => {
    for (const [pending, nonce] of [
      ['0x9', undefined],
      [null, 4],
      ['0x0', 4],
    ] as const) {
      const eth_getTransactionCount = ([, tag]: readonly unknown[]) => (tag === 'pending' ? pending : '0x4')
      const sent: { readonly nonce?: number }[] = []
      const client = {
        ...createProvider({ eth_getTransactionCount }),
        account: { address: account, type: 'local' },
        sendTransaction: async (args: never) => (sent.push(args), hash),
        signTypedData: async () => hash,
      } as const
      await (await openWallet(client)).sendTransaction(transaction)
      expect(sent.map((args) => args.nonce)).toEqual([nonce])
    }
  })

  it('accounts may be CAIP-10 text', async () => {
    const provider = createProvider({ eth_accounts: [`eip155:${chainId}:${account}`] })
    expect((await openWallet(provider)).account).toBe(account)
  })

  it('error: wallet/failed for a block that the node does not have, and for malformed responses', async () => {
    const responses = { eth_getBlockByNumber: null, eth_getTransactionCount: '0x', eth_getTransactionByHash: {} }
    const session = await openWallet(createProvider(responses))
    const reads = [session.readBlock(16), session.countTransactions('latest'), session.findTransaction(hash)]
    for (const result of await Promise.allSettled(reads)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'wallet/failed' } })
    }
  })
})
