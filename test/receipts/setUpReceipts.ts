import { encodeFunctionData, getAddress, parseAbi, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { LocalChain } from '@agio/localnet'
import { afterAll, beforeAll, expect } from 'vitest'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { startProxiedStack, type ProxiedStack } from '../harness/startProxiedStack.ts'
import { encodeSwap, executeBy, fund, sendAs, type Call, type Swap } from '../harness/swaps.ts'

/** One thousand tokens of six decimals. */
export const thousand = 1_000_000_000n

/** An account that receives conversions of others. */
export const recipient = getAddress('0x00000000000000000000000000000000000a610a')

/** Starts a stack with a funded user and smart account before the tests of a file, and stops it afterwards. */
export function setUpReceipts() {
  // Each part is there once the hooks have run.
  const running = {} as { stack: ProxiedStack; chain: LocalChain; owner: Owner; user: Address; account: Address }

  beforeAll(async () => {
    running.stack = await startProxiedStack()
    running.chain = running.stack.localnet.chains[84532]
    running.owner = connectOwner(running.chain)
    running.user = privateKeyToAddress(generatePrivateKey())
    running.account = await running.owner.deploy('testing/BatchAccount', [])
    for (const each of [running.user, running.account]) await fund(running.chain, each)
  })

  afterAll(() => running.stack?.[Symbol.asyncDispose]())

  const convert = (swap: Swap) => sendAs(running.chain, running.user, encodeSwap(running.chain, swap))
  const read = (transactionHash: Hex, transport: 'REST' | 'tRPC' = 'REST') =>
    running.stack.callers[transport]('convert.receipt', { chainId: 84532, transactionHash })
  async function readMined(transactionHash: Hex, transport?: 'REST' | 'tRPC'): Promise<Record<string, unknown>> {
    const { status, data } = await read(transactionHash, transport)
    expect({ status, data }).toMatchObject({ status: 200, data: { status: 'success' } })
    return data ?? {}
  }

  /** A bundle of one user operation for each list of calls, to an entry point at the address of version 0.7. */
  async function prepareBundle(...operations: readonly (readonly Call[])[]): Promise<Call> {
    const target = '0x0000000071727De22E5E9d8BAf0edAc6f37da032'
    const { owner, account, user } = running
    const code = await owner.client.getCode({ address: await owner.deploy('testing/TestEntryPoint', []) })
    await owner.client.setCode({ address: target, bytecode: code ?? '0x' })
    const abi = parseAbi([
      'struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
      'function handleOps(PackedUserOperation[] ops, address beneficiary)',
    ])
    const word: Hex = `0x${'00'.repeat(32)}`
    const empty = { initCode: '0x', paymasterAndData: '0x', signature: '0x' } as const
    const ops = operations.map((calls, index) => ({
      ...empty,
      sender: account,
      nonce: BigInt(index),
      callData: executeBy(account, calls).data,
      accountGasLimits: word,
      preVerificationGas: 0n,
      gasFees: word,
    }))
    return { target, data: encodeFunctionData({ abi, functionName: 'handleOps', args: [ops, user] }) }
  }

  return Object.assign(running, { convert, readMined, read, prepareBundle })
}
