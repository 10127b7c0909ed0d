import type { Address } from '@agio/core'
import { decodeFunctionData, getAddress, parseAbi, slice, toFunctionSelector, type Hex } from 'viem'
import { decodesWithinSize } from '../reader/decodesWithinSize.ts'
import { parseLogs, type TransactionLog } from '../transaction/readReceipt.ts'
import type { SentTransaction } from '../transaction/readStatus.ts'
import { listLogsOf } from './listLogsOf.ts'

/** A user operation (ERC-4337) that was mined in a bundle and reverted. */
export type FailedOperation = {
  /** The smart account. */
  readonly sender: Address
  readonly data: Hex
  /** The data that the account reverted with; undefined if it reverted without data. */
  readonly revertData: Hex | undefined
}

/**
 * The deployed entry points. Other contracts can emit the same events.
 *
 * @see https://github.com/eth-infinitism/account-abstraction/releases: versions 0.6 to 0.9
 */
const entryPoints: ReadonlySet<Address> = new Set([
  '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789',
  '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
  '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
  '0x433709009B8330FDa32311DF1C2AFA402eD8D009',
])

const eventsAbi = parseAbi([
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
  'event UserOperationRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason)',
])

// The functions before version 0.7, and from version 0.7 on.
const bundleAbi = parseAbi([
  'struct UserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; uint256 callGasLimit; uint256 verificationGasLimit; uint256 preVerificationGas; uint256 maxFeePerGas; uint256 maxPriorityFeePerGas; bytes paymasterAndData; bytes signature; }',
  'struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
  'function handleOps(UserOperation[] ops, address beneficiary)',
  'function handleOps(PackedUserOperation[] ops, address beneficiary)',
])

/**
 * Lists the user operations of a bundle that reverted, in the order of the bundle. The list is empty unless the
 * transaction was sent to an entry point.
 */
export function listFailedOperations(
  logs: readonly TransactionLog[],
  { to, data }: Pick<SentTransaction, 'to' | 'data'>,
): readonly FailedOperation[] {
  if (to === undefined || !entryPoints.has(to)) return []
  const entryPointLogs = listLogsOf([to], logs)
  const failed = parseLogs({ abi: eventsAbi, eventName: 'UserOperationEvent' }, entryPointLogs).filter(
    ({ args }) => !args.success,
  )
  if (failed.length === 0) return []
  const reasons = parseLogs({ abi: eventsAbi, eventName: 'UserOperationRevertReason' }, entryPointLogs)
  return listOperations(data)
    .slice(0, maxOperations)
    .flatMap(({ sender, nonce, callData }) => {
      const isOperation = (args: { readonly sender: Address; readonly nonce: bigint }) =>
        args.sender === sender && args.nonce === nonce
      if (!failed.some(({ args }) => isOperation(args))) return []
      const revertData = reasons.find(({ args }) => isOperation(args))?.args.revertReason
      return [{ sender, data: callData, revertData }]
    })
}

// A transaction may contain any number of operations. This bound keeps its decoding fast.
const maxOperations = 100

type Operation = { readonly sender: Address; readonly nonce: bigint; readonly callData: Hex }

function listOperations(data: Hex): readonly Operation[] {
  try {
    const called = bundleAbi.find((item) => toFunctionSelector(item) === slice(data, 0, 4))
    if (!called || !decodesWithinSize(called.inputs, slice(data, 4))) return []
    const { args } = decodeFunctionData({ abi: bundleAbi, data })
    return args[0].map(({ sender, nonce, callData }) => ({ sender: getAddress(sender), nonce, callData }))
  } catch {
    return []
  }
}
