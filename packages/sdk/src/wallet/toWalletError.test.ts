import { expect, it } from 'vitest'
import { clientError, type AnyAgioError } from '../errors/AgioError.ts'
import { hasWalletCode, isConclusive, toWalletError } from './toWalletError.ts'

const method = 'eth_sendTransaction'

it.each([
  ['EIP-1193', { code: 4001 }],
  ['WalletConnect', { code: 5000 }],
  ['ethers', { code: 'ACTION_REJECTED', info: { error: { code: 4001 } } }],
  ['ethers without the error of the wallet', { code: 'ACTION_REJECTED' }],
  ['a wallet that wraps it', { code: -32603, data: { originalError: { code: 4001 } } }],
  ['a library that wraps it', new Error('failed', { cause: new Error('failed', { cause: { code: 4001 } }) })],
])('error: wallet/rejected for a refusal of %s', (_, error) => {
  expect(toWalletError(error, { method })).toMatchObject({ code: 'wallet/rejected', details: { method }, cause: error })
})

it.each([
  ['a text', { code: -32000, message: 'MetaMask Tx Signature: User denied transaction signature.' }],
  ['a name', Object.assign(new Error(''), { name: 'UserRejectedRequestError' })],
  ['a code in words', { code: 'USER_DECLINED' }],
  ['a nested reason', { payload: { failure: { reason: 'Action cancelled by user' } } }],
  ['a plain text', 'User closed modal'],
  ['one word', new Error('cancelled')],
  ['American words', new Error('User canceled')],
  ['the name of Ledger', Object.assign(new Error('x'), { name: 'UserRefusedOnDevice' })],
  ['the words of Ledger', new Error('Condition of use not satisfied (denied by the user?) (0x6985)')],
  ['the code of Trezor', { code: 'Failure_ActionCancelled' }],
  ['a reason', { code: 'UNKNOWN_ERROR', message: 'could not coalesce error', reason: 'rejected' }],
])('error: wallet/rejected for a refusal by %s, which does not say that nothing was sent', (_, error) => {
  const rejected = toWalletError(error, { method }) as AnyAgioError
  expect(rejected).toMatchObject({ code: 'wallet/rejected', details: { method } })
  expect(isConclusive(rejected)).toBe(false)
  for (const prompt of ['eth_requestAccounts', 'eth_signTypedData_v4', 'wallet_switchEthereumChain']) {
    expect(toWalletError(error, { method: prompt })).toMatchObject({ code: 'wallet/rejected' })
  }
  expect(toWalletError(error, { method: 'eth_call' })).toMatchObject({ code: 'wallet/failed' })
})

it.each(['wallet_getCallsStatus', 'eth_getLogs', 'eth_call'])(
  'a code of a refusal does not refuse %s, which asks the user nothing',
  (read) => {
    const failed = toWalletError({ code: 4001 }, { method: read })
    expect(failed).toMatchObject({ code: 'wallet/failed', details: { walletCode: 4001 } })
  },
)

it('a wallet says by a standard code that it did nothing', () => {
  const isKnown = (code: unknown) => isConclusive(toWalletError({ code }, { method }) as AnyAgioError)
  expect([4001, 5000, 5750, 'ACTION_REJECTED', '4001', -32601, 4200, 5760].map(isKnown)).not.toContain(false)
  expect([-32000, -32603, 4999, 'REJECTED', undefined].map(isKnown)).not.toContain(true)
  const unsupported = toWalletError({ code: -32602, message: 'Invalid params: rejected' }, { method })
  expect(unsupported).toMatchObject({ code: 'wallet/failed', details: { walletCode: -32602 } })
})

it('the code of the wallet is the first specific one', () => {
  const error = { code: -32603, message: 'Internal error', data: { code: -32000, message: 'gas required exceeds' } }
  const failed = toWalletError(error, { method })
  expect(failed).toMatchObject({ code: 'wallet/failed', details: { method, walletCode: -32000 } })
  expect([hasWalletCode(failed, -32000), hasWalletCode(failed, -32603), hasWalletCode(error, -32603)]).toEqual([
    true,
    false,
    false,
  ])
  expect(toWalletError({ code: -32603 }, { method })).toMatchObject({ details: { walletCode: -32603 } })
})

it('error: wallet/wrong-chain for a wallet that is not on the network, if the request names one', () => {
  for (const code of [4900, 4901, 4902]) {
    const onChain = toWalletError({ code }, { method, chainId: 84532 })
    expect(onChain).toMatchObject({ code: 'wallet/wrong-chain', details: { expected: 84532 } })
    expect(toWalletError({ code }, { method })).toMatchObject({ code: 'wallet/failed', details: { walletCode: code } })
  }
})

it('a wallet may throw any value', () => {
  const circle: Record<string, unknown> = { code: 1 }
  circle['cause'] = circle
  const codes = [Symbol('x'), { toString: null }, [4001], true, ''].map((code) => ({ code }))
  const unreadable = new Proxy({}, { get: () => expect.fail('an error of another window') })
  for (const error of [undefined, null, 'broken', 7, {}, circle, unreadable, ...codes]) {
    expect(toWalletError(error, { method })).toMatchObject({ code: 'wallet/failed' })
  }
  expect(toWalletError('broken', { method }).message).toBe('wallet/failed: Cannot complete eth_sendTransaction: broken')
})

it('the message has the first line of the message of the wallet, without the URL of a node', () => {
  const error = Object.assign(new Error('HTTP request failed.\n\nURL: https://node.example/secret'), { code: -32000 })
  expect(toWalletError(error, { method }).message).not.toContain('secret')
})

const unfunded = { code: -32000, message: 'insufficient funds for gas * price + value' }

it.each([
  ['MetaMask', { code: -32603, message: 'Internal JSON-RPC error.', data: unfunded }],
  [
    'viem',
    Object.assign(new Error('An unknown RPC error occurred.\n\nVersion: viem'), {
      code: -1,
      shortMessage: 'An unknown RPC error occurred.',
      cause: Object.assign(new Error('RPC Request failed.\n\nURL: https://node.example/secret'), {
        shortMessage: 'RPC Request failed.',
        code: -1,
        cause: unfunded,
      }),
    }),
  ],
  ['a wallet that wraps twice', { code: -32603, data: { message: 'Internal error', originalError: unfunded } }],
])('the message of an unspecific error of %s is the message of the node', (_, error) => {
  expect(toWalletError(error, { method }).message).toBe(
    'wallet/failed: Cannot complete eth_sendTransaction: insufficient funds for gas * price + value',
  )
})

it('the message of a specific error is kept, and so is an unspecific message around nothing more specific', () => {
  const own = { code: -32000, message: 'nonce too low', data: { message: 'stack of the node' } }
  expect(toWalletError(own, { method }).message).toContain(': nonce too low')
  const outer = {
    code: -32603,
    message: 'Broken',
    data: { message: 'See https://node.example/secret', cause: { message: 'Internal error' } },
  }
  expect(toWalletError(outer, { method }).message).toContain(': Broken')
})

it('an error of this package is returned unchanged', () => {
  const error = clientError('convert/aborted', 'stopped', {})
  expect(toWalletError(error, { method })).toBe(error)
})
