import type { LocalChain } from '@agio/localnet'
import type { Address, Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { mineTogether } from '../harness/mineTogether.ts'
import type { Call } from '../harness/swaps.ts'
import type { setUpReceipts } from './setUpReceipts.ts'

type Receipts = Pick<ReturnType<typeof setUpReceipts>, 'stack' | 'owner' | 'chain' | 'user'>

/** The largest gas limit of a transaction (EIP-7825). */
export const maxTransactionGas = 16_777_216n

// Reads memory 8 kB further on while the gas suffices, and then reverts with the whole memory.
const anyData = '0x5b5960051c610bb8015a1060185759611fff0151506000565b596000fd'
// The same after the beginning of an `Error(string)` of zeros, whose length follows in the end.
const zeroText =
  '0x6308c379a060e01b60005260206004525b5960051c610bb8015a1060285759611fff0151506010565b60645903602452596000fd'

/** The code of contracts that revert with as much as their gas allows. */
export const largeReverts = [
  // Nodes repeat the text of an error in their message, where a zero takes six characters.
  ['a text of zeros', zeroText],
  ['data of no known error', anyData],
] as const

/** Mines a transaction to a contract of a code that makes it fail, and records its replays. */
export async function failWith({ stack, owner, chain, user }: Receipts, bytecode: Hex) {
  const target = privateKeyToAddress(generatePrivateKey())
  await owner.client.setCode({ address: target, bytecode })
  const call = { target, data: '0x', from: user, gas: maxTransactionGas } as const
  const transactionHash = await mineFailure(chain, call)
  return {
    transactionHash,
    read: () => stack.callers.REST('transaction.status', { chainId: 84532, transactionHash }),
    replays: recordReplays(stack, target),
  }
}

/** Sends a call that fails, and returns the hash of its mined transaction. */
export async function mineFailure(
  chain: LocalChain,
  { target, data, from, gas }: Call & { readonly from: Address; readonly gas: bigint },
): Promise<Hex> {
  const { client } = connectOwner(chain)
  await client.impersonateAccount({ address: from })
  const submit: mineTogether.Submit = (fees) =>
    client.sendTransaction({ account: from, to: target, data, gas, chain: null, ...fees })
  const [mined] = await mineTogether(chain, [submit])
  expect(mined?.status).toBe('reverted')
  return mined?.transactionHash ?? '0x'
}

/** Records the responses of the node to calls of a contract, which only replays make. */
function recordReplays({ proxies }: Receipts['stack'], target: Address) {
  const sizes: number[] = []
  const unfinished = new Map<object, number>()
  let most = 0
  proxies[84532].setAnswer(async (request, response, callNode) => {
    const count = request.calls.filter((call) => JSON.stringify(call).includes(target.toLowerCase())).length
    unfinished.set(request, count)
    most = Math.max(
      most,
      [...unfinished.values()].reduce((total, each) => total + each, 0),
    )
    // The service ends a request that takes too long.
    response.once('close', () => unfinished.delete(request))
    const text = await callNode()
    if (count > 0) sizes.push(text.length)
    unfinished.delete(request)
    response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  })
  return { largestBytes: () => Math.max(0, ...sizes), mostInFlight: () => most }
}
