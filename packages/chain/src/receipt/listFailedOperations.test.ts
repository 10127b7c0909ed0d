import type { Address } from '@agio/core'
import {
  concatHex,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  hexToNumber,
  numberToHex,
  parseAbi,
  slice,
  zeroAddress,
  zeroHash,
  type Hex,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { listFailedOperations } from './listFailedOperations.ts'

// Of the version before 0.7. A bundle of version 0.7 is explained by test/receipts/failures.test.ts.
const entryPoint: Address = '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789'
const [first, second] = [
  '0x1000000000000000000000000000000000000001',
  '0x1000000000000000000000000000000000000002',
] as const

const events = parseAbi([
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
  'event UserOperationRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason)',
])

/** Returns an operation with the nonce 1, with the calldata of its sender. */
const callOf = (sender: Address): Hex => (sender === first ? '0x11' : '0x22')

function bundle(senders: readonly Address[]): Hex {
  const abi = parseAbi([
    'struct UserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; uint256 callGasLimit; uint256 verificationGasLimit; uint256 preVerificationGas; uint256 maxFeePerGas; uint256 maxPriorityFeePerGas; bytes paymasterAndData; bytes signature; }',
    'function handleOps(UserOperation[] ops, address beneficiary)',
  ])
  const bytes = { initCode: '0x', paymasterAndData: '0x', signature: '0x' } as const
  const gas = { callGasLimit: 0n, verificationGasLimit: 0n, preVerificationGas: 0n }
  const fees = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }
  const ops = senders.map((sender) => ({ ...bytes, ...gas, ...fees, sender, nonce: 1n, callData: callOf(sender) }))
  return encodeFunctionData({ abi, functionName: 'handleOps', args: [ops, zeroAddress] })
}

/** Returns the event of an operation's outcome, after the event of its revert data. */
function logsOf(sender: Address, outcome: { readonly success: boolean; readonly revertData?: Hex }) {
  const args = { userOpHash: zeroHash, sender, paymaster: zeroAddress }
  const topicsOf = (eventName: 'UserOperationEvent' | 'UserOperationRevertReason') =>
    encodeEventTopics({ abi: events, eventName, args }) as Hex[]
  const numbers = ['uint256', 'bool', 'uint256', 'uint256'].map((type) => ({ type }))
  const { success, revertData } = outcome
  const reason = revertData && {
    topics: topicsOf('UserOperationRevertReason'),
    data: encodeAbiParameters([{ type: 'uint256' }, { type: 'bytes' }], [1n, revertData]),
  }
  const ended = {
    topics: topicsOf('UserOperationEvent'),
    data: encodeAbiParameters(numbers, [1n, success, 0n, 0n]),
  }
  return [...(reason ? [reason] : []), ended].map((log, logIndex) => ({ address: entryPoint, ...log, logIndex }))
}

describe('a bundle of user operations', () => {
  const data = bundle([first, second])

  it('the failed operations of a bundle are listed with their calldata and their revert data', () => {
    const logs = [...logsOf(first, { success: true }), ...logsOf(second, { success: false, revertData: '0x1234' })]
    expect(listFailedOperations(logs, { to: entryPoint, data })).toEqual([
      { sender: second, data: '0x22', revertData: '0x1234' },
    ])
    const silent = logsOf(first, { success: false })
    expect(listFailedOperations(silent, { to: entryPoint, data })).toEqual([
      { sender: first, data: '0x11', revertData: undefined },
    ])
  })

  it('the events of other contracts do not count, nor a bundle that is sent to another contract', () => {
    const logs = logsOf(first, { success: false })
    const forged = logs.map((log) => ({ ...log, address: second }))
    expect(listFailedOperations(forged, { to: entryPoint, data })).toEqual([])
    for (const to of [second, undefined]) expect(listFailedOperations(logs, { to, data })).toEqual([])
    expect(listFailedOperations(forged, { to: second, data })).toEqual([])
  })

  it('a bundle whose operations share bytes, so that it decodes to a multiple of its size, has no operations', () => {
    const logs = logsOf(second, { success: false })
    const list = (each: Hex) => listFailedOperations(logs, { to: entryPoint, data: each })
    expect(list(data)).toHaveLength(1)
    // After the selector, the head has the offset of the list, the beneficiary, the length of the list and two offsets.
    const [head, secondOffset] = [slice(data, 0, 4 + 2 * 32), hexToNumber(slice(data, 4 + 4 * 32, 4 + 5 * 32))]
    const share = (count: number) => {
      const offset = numberToHex(secondOffset + 32 * (count - 2), { size: 32 })
      return concatHex([
        head,
        numberToHex(count, { size: 32 }),
        ...Array.from({ length: count }, () => offset),
        slice(data, 4 + 5 * 32),
      ])
    }
    expect(list(share(2))).toHaveLength(2)
    expect(list(share(100))).toEqual([])
  })

  it('calldata that is not a bundle has no operations', () => {
    const logs = logsOf(first, { success: false })
    for (const other of ['0x', '0x12345678', data.slice(0, 100) as Hex] as const) {
      expect(listFailedOperations(logs, { to: entryPoint, data: other })).toEqual([])
    }
  })
})
