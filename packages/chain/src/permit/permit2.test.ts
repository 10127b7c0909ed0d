import { concatHex, encodeAbiParameters, hashTypedData, keccak256, numberToHex, toHex, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { permit2Address, toPermit2TypedData, type PermitSwap } from './permit2.ts'

const [router, origin, target] = [toAddress(1), toAddress(2), toAddress(3)]
const [quote, recipient] = [toAddress(4), toAddress(5)]
const quoteDigest = numberToHex(2n ** 256n - 7n, { size: 32 })
const common = { tokenIn: origin, tokenOut: target, quoteToken: quote, recipient, deadlineSeconds: 1_800_000_000n }

const tokenPermissions = 'TokenPermissions(address token,uint256 amount)'
const swaps: readonly (readonly [string, PermitSwap, string, readonly [bigint, bigint]])[] = [
  [
    'exact input',
    { ...common, mode: 'exact-in', amountInRaw: 10n ** 30n, minAmountOutRaw: 9n },
    'OriginSwap(address quote,address origin,address target,uint256 originAmount,uint256 minTargetAmount,address recipient,uint256 deadline,bytes32 quoteDigest)',
    [10n ** 30n, 9n],
  ],
  [
    'exact output',
    { ...common, mode: 'exact-out', maxAmountInRaw: 10n ** 30n, amountOutRaw: 9n },
    'TargetSwap(address quote,address origin,address target,uint256 maxOriginAmount,uint256 targetAmount,address recipient,uint256 deadline,bytes32 quoteDigest)',
    [10n ** 30n, 9n],
  ],
]

it.each(swaps)('the data of an %s has the hash that Permit2 and the router make', (_, swap, witnessType, amounts) => {
  const typedData = toPermit2TypedData({ chainId: 84532, router, swap, quoteDigest })
  const witness = hashStruct(witnessType, [
    quote,
    origin,
    target,
    ...amounts,
    recipient,
    common.deadlineSeconds,
    quoteDigest,
  ])
  const permitted = hashStruct(tokenPermissions, [origin, 10n ** 30n])
  const name = swap.mode === 'exact-in' ? 'OriginSwap' : 'TargetSwap'
  const permit = hashStruct(
    `PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,${name} witness)${witnessType}${tokenPermissions}`,
    [permitted, router, BigInt(quoteDigest), common.deadlineSeconds, witness],
  )
  const domain = hashStruct('EIP712Domain(string name,uint256 chainId,address verifyingContract)', [
    keccak256(toHex('Permit2')),
    84532n,
    permit2Address,
  ])
  expect(hashTypedData(typedData as never)).toBe(keccak256(concatHex(['0x1901', domain, permit])))
})

it('the data survives JSON, with every number of the message as a decimal string', () => {
  const swap = { ...common, mode: 'exact-in', amountInRaw: 10n ** 30n, minAmountOutRaw: 9n } as const
  const typedData = toPermit2TypedData({ chainId: 84532, router, swap, quoteDigest })
  expect(JSON.parse(JSON.stringify(typedData))).toEqual(typedData)
  expect(typedData.message).toMatchObject({
    nonce: (2n ** 256n - 7n).toString(),
    permitted: { amount: `1${'0'.repeat(30)}` },
  })
})

/** Returns the hash of a struct of static fields, by the rules of EIP-712. */
function hashStruct(type: string, values: readonly (Hex | bigint)[]): Hex {
  const words = values.map((value) => numberToHex(BigInt(value), { size: 32 }))
  return keccak256(
    encodeAbiParameters(
      Array.from({ length: words.length + 1 }, () => ({ type: 'bytes32' })),
      [keccak256(toHex(type)), ...words],
    ),
  )
}

function toAddress(number: number): Hex {
  return numberToHex(number, { size: 20 })
}
