import { keccak256, numberToHex, parseTransaction, type Hex, type TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const account = privateKeyToAccount(`0x${'17'.repeat(32)}`)
const to = `0x${'a1'.repeat(20)}` as const

const anyChain = { nonce: 7, gas: 90_000n, to, value: 1n, data: '0xc0de' } as const
const call = { ...anyChain, chainId: 84532 } as const
const fees = { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1_000_000n } as const
const gasPrice = 2_000_000_000n
const accessList = [{ address: to, storageKeys: [`0x${'5'.repeat(64)}`] }] as const
const blobs = { maxFeePerBlobGas: 3n, blobVersionedHashes: [`0x01${'6'.repeat(62)}`], sidecars: false } as const

/** Signs a transaction of each type, and a legacy one that every chain accepts. */
export async function signEach(): Promise<readonly SignedExample[]> {
  const authorization = await account.signAuthorization({ chainId: 84532, nonce: 8, address: to })
  return await Promise.all([
    sign('0x0', { ...call, type: 'legacy', gasPrice }),
    sign('0x0', { ...anyChain, type: 'legacy', gasPrice }),
    sign('0x1', { ...call, type: 'eip2930', gasPrice, accessList }),
    sign('0x2', { ...call, ...fees, type: 'eip1559' }),
    sign('0x3', { ...call, ...fees, ...blobs, type: 'eip4844' }),
    sign('0x4', { ...call, ...fees, type: 'eip7702', accessList, authorizationList: [authorization] }),
  ])
}

/** A signed transaction, as a node returns it while it is pending. */
export type SignedExample = {
  readonly type: Hex
  readonly transaction: Readonly<Record<string, unknown>> & { readonly hash: Hex }
}

async function sign(type: Hex, signable: TransactionSerializable): Promise<SignedExample> {
  const serialized = await account.signTransaction(signable)
  const { r, s, v, yParity } = parseTransaction(serialized)
  const { data: input, sidecars: _, ...fields } = signable
  const signature = type === '0x0' ? { r, s, v } : { r, s, v: yParity, yParity }
  const pending = { blockHash: null, blockNumber: null, transactionIndex: null, accessList: [] }
  const all = { ...pending, ...fields, ...signature, type, input, from: account.address, hash: keccak256(serialized) }
  return { type, transaction: toJson(all) as SignedExample['transaction'] }
}

/** Returns a value with each number as a quantity. */
function toJson(value: object): unknown {
  const toQuantity = (_: string, each: unknown) =>
    typeof each === 'bigint' || typeof each === 'number' ? numberToHex(each) : each
  return JSON.parse(JSON.stringify(value, toQuantity))
}
