import { describe, expect, it, vi } from 'vitest'
import {
  account,
  batch,
  chainId,
  createProvider,
  never,
  other,
  rpcError,
  transaction,
} from '../../test/createProvider.ts'
import { openWallet } from './openWallet.ts'

describe('the account of a session', () => {
  it('the account of a provider is the first that it lists, and the wallet is not prompted', async () => {
    const provider = createProvider({ eth_accounts: [account, other] })
    expect(await openWallet(provider)).toMatchObject({ account })
    expect(provider.requests.map(({ method }) => method)).toEqual(['eth_accounts'])
  })

  it.each([
    ['lists none', []],
    ['refuses to list them', rpcError(4100)],
  ])('a wallet that %s is asked for its accounts', async (_, listed) => {
    const provider = createProvider({ eth_accounts: listed, eth_requestAccounts: [other] })
    expect(await openWallet(provider)).toMatchObject({ account: other })
  })

  it('error: wallet/failed for a wallet that has no account', async () => {
    const provider = createProvider({ eth_accounts: [], eth_requestAccounts: [] })
    await expect(openWallet(provider)).rejects.toMatchObject({ code: 'wallet/failed' })
  })

  it('error: wallet/failed for a wallet that lists what is not an account', async () => {
    for (const eth_accounts of [['0xa610'], account, null, [null]]) {
      await expect(openWallet(createProvider({ eth_accounts }))).rejects.toMatchObject({ code: 'wallet/failed' })
    }
  })

  it('error: TypeError for a value that is not a wallet', async () => {
    for (const value of [undefined, null, {}, { address: account }, 'wallet']) {
      await expect(openWallet(value as never)).rejects.toBeInstanceOf(TypeError)
    }
  })

  it('error: TypeError for a viem client whose account signs itself, without the functions of a WalletClient', async () => {
    const client = { ...createProvider(), account: { address: account, type: 'local' } } as const
    await expect(openWallet(client)).rejects.toThrow('createWalletClient')
  })
})

describe('assertUnchanged', () => {
  it('assertUnchanged accepts the account in either letter case', async () => {
    const listed = [[account], [account.toLowerCase()]]
    const session = await openWallet(createProvider({ eth_accounts: () => listed.shift() }))
    await session.assertUnchanged(chainId)
  })

  it('the account of a client that a node lists second may stay second', async () => {
    const client = {
      ...createProvider({ eth_accounts: [other, account] }),
      account: { address: account, type: 'json-rpc' },
    }
    const session = await openWallet(client)
    expect(session.account).toBe(account)
    await session.assertUnchanged(chainId)
  })
})

describe('switchChain', () => {
  it('switchChain waits for a wallet that responds before it has switched', async () => {
    const chains = ['0x66eee', '0x66eee', '0x14a34']
    const provider = createProvider({ wallet_switchEthereumChain: null, eth_chainId: () => chains.shift() })
    await (await openWallet(provider)).switchChain(chainId)
    expect(provider.paramsOf('wallet_switchEthereumChain')).toEqual([[{ chainId: '0x14a34' }]])
    expect(chains).toEqual([])
  })

  it('switchChain accepts an error of a wallet that is on the network', async () => {
    await (await openWallet(createProvider())).switchChain(chainId)
  })

  it.each([
    ['has not added the network', rpcError(4902)],
    ['has not added the network, which it wraps', rpcError(-32603, { data: { originalError: { code: 4902 } } })],
    ['cannot switch', rpcError(-32601)],
  ])('error: wallet/wrong-chain for a wallet that %s', async (_, error) => {
    const provider = createProvider({ wallet_switchEthereumChain: error, eth_chainId: '0x1' })
    const switching = (await openWallet(provider)).switchChain(chainId)
    const details = { expected: chainId, actual: 1 }
    await expect(switching).rejects.toMatchObject({ code: 'wallet/wrong-chain', details })
  })

  it('error: wallet/wrong-chain for a wallet that says it has switched and has not', async () => {
    const provider = createProvider({ wallet_switchEthereumChain: null, eth_chainId: '0x1' })
    const switching = (await openWallet(provider)).switchChain(chainId)
    await expect(switching).rejects.toMatchObject({ code: 'wallet/wrong-chain' })
  })
})

describe('canBatch', () => {
  it.each([
    [{ '0x14a34': { atomic: { status: 'supported' } } }, true],
    [{ '0x14A34': { atomic: { status: 'ready' } } }, true],
    [{ '84532': { atomic: { status: 'ready' } } }, true],
    [{ '0x0': { atomic: { status: 'supported' } } }, true],
    [{ '0x14a34': { atomic: { status: 'unsupported' } } }, false],
    [{ '0x66eee': { atomic: { status: 'supported' } } }, false],
    [{ '0x14a34': { atomicBatch: { supported: true } } }, false],
    [null, false],
    [rpcError(4200), false],
  ])('canBatch of capabilities %j is %s', async (wallet_getCapabilities, expected) => {
    const provider = createProvider({ wallet_getCapabilities })
    expect(await (await openWallet(provider)).canBatch(chainId)).toBe(expected)
    expect(provider.paramsOf('wallet_getCapabilities')).toEqual([[account, ['0x14a34']]])
  })

  it('canBatch is false after two seconds if a wallet never responds', async () => {
    vi.useFakeTimers()
    try {
      const session = await openWallet(createProvider({ wallet_getCapabilities: never }))
      const asked = session.canBatch(chainId)
      await vi.advanceTimersByTimeAsync(2000)
      expect(await asked).toBe(false)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('the signal', () => {
  const prompting = ['eth_sendTransaction', 'wallet_sendCalls', 'eth_signTypedData_v4', 'wallet_switchEthereumChain']

  it('error: convert/aborted at once while the wallet prompts; its later response is ignored', async () => {
    const controller = new AbortController()
    const provider = createProvider(Object.fromEntries(prompting.map((method) => [method, never])))
    const session = await openWallet(provider, controller)
    const asked = [
      session.sendTransaction(transaction),
      session.sendCalls(batch),
      session.signTypedData({} as never),
      session.switchChain(chainId),
    ]
    await expect.poll(() => prompting.every((method) => provider.paramsOf(method).length === 1)).toBe(true)
    controller.abort(new Error('closed'))
    for (const result of await Promise.allSettled(asked)) {
      const reason = { code: 'convert/aborted', cause: { message: 'closed' } }
      expect(result).toMatchObject({ status: 'rejected', reason })
    }
  })
})
