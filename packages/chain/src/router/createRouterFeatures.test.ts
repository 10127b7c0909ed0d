import { Errors } from '@agio/core'
import { domainSeparator, numberToHex, toFunctionSelector, type AbiFunction, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { exactOutRouterAbi, permitRouterAbi } from '../abi/index.ts'
import { permit2Address } from '../permit/permit2.ts'
import { createFactReader } from '../reader/createFactReader.ts'
import type { Reader } from '../reader/createReader.ts'
import type { Result } from '../reader/decodeResult.ts'
import { createRouterFeatures, exactOutRouterId, permitRouterId } from './createRouterFeatures.ts'

const router = '0x00000000000000000000000000000000000000a1'
const [yes, no] = [returned(numberToHex(1, { size: 32 })), returned(numberToHex(0, { size: 32 }))]
const reverted = { success: false, data: '0x' } as const
const [chainId, otherChainId] = [84532, 43113] as const
const [permit2, otherPermit2] = [chainId, otherChainId].map((id) =>
  returned(domainSeparator({ domain: { name: 'Permit2', chainId: id, verifyingContract: permit2Address } })),
) as [Result, Result]
const withoutCode = returned('0x')

const all = { targetSwap: true, recipient: true, permit: true, permit2: true }
const none = { targetSwap: false, recipient: false, permit: false, permit2: false }
const exactOut = { ...none, targetSwap: true, recipient: true }

it.each([
  ['IExactOutRouter', exactOutRouterAbi, exactOutRouterId, 3],
  ['IPermitRouter', permitRouterAbi, permitRouterId, 4],
] as const)('the id is derived from the functions of %s', (_, abi, id, count) => {
  const functions = (abi as readonly { readonly type: string }[]).filter(isFunction)
  const own = functions.filter(({ name }) => name !== 'supportsInterface').map((item) => toFunctionSelector(item))
  expect(own).toHaveLength(count)
  const sum = own.reduce((before, selector) => before ^ BigInt(selector), 0n)
  expect(numberToHex(sum, { size: 4 })).toBe(id)
})

it('the features of a router that states them are read once, also for concurrent callers', async () => {
  const { get, reads } = start([yes, no, yes, yes, permit2])
  expect(await Promise.all([get(), get()])).toEqual([all, all])
  expect(await get()).toEqual(all)
  expect(reads).toHaveLength(1)
})

it.each<[string, readonly Result[], object]>([
  ['only exact outputs', [yes, no, yes, no, permit2], exactOut],
  ['only permits', [yes, no, no, yes, permit2], { ...none, permit: true, permit2: true }],
  ['both, where Permit2 has no code,', [yes, no, yes, yes, withoutCode], { ...all, permit2: false }],
  ['both, where Permit2 reverts,', [yes, no, yes, yes, { ...permit2, success: false }], { ...all, permit2: false }],
  ['both, where Permit2 is of another chain,', [yes, no, yes, yes, otherPermit2], { ...all, permit2: false }],
])('a router that states %s has these features only', async (_, results, features) => {
  const { get, reads } = start(results)
  expect([await get(), await get()]).toEqual([features, features])
  expect(reads).toHaveLength(1)
})

it.each<[string, readonly Result[]]>([
  ['reverts', [reverted, reverted, reverted, reverted]],
  ['states only ERC-165', [yes, no, no, no]],
  ['states the invalid id as well', [yes, yes, yes, yes]],
  ['does not state ERC-165', [no, no, yes, yes]],
  ['returns a number', [yes, no, ...twice(returned(numberToHex(2, { size: 32 })))]],
  ['returns a short result', [yes, no, ...twice(returned('0x01'))]],
  ['returns more than one word', [yes, no, ...twice(returned(`${yes.data}${no.data.slice(2)}`))]],
  ['returns nothing for ours', [yes, no, ...twice(withoutCode)]],
  ['has truth values in its revert', [yes, no, ...twice({ ...yes, success: false })]],
])('a router that %s has no features, which is read once', async (_, results) => {
  const { get, reads } = start([...results, permit2])
  expect([await get(), await get()]).toEqual([none, none])
  expect(reads).toHaveLength(1)
})

it('a router without code has no features, and is read again', async () => {
  const { get, setResults } = start([withoutCode, withoutCode, withoutCode, withoutCode, permit2])
  expect(await get()).toEqual(none)
  setResults([yes, no, yes, yes, permit2])
  expect(await get()).toEqual(all)
})

it('the features are read again after a read that failed', async () => {
  const { get, setResults } = start(Errors.upstreamTimeout({ action: 'read the chain', reason: 'it is late' }))
  const failure = expect.objectContaining({ code: 'svc/upstream-timeout' })
  const outcomes = await Promise.allSettled([get(), get()])
  expect(outcomes).toEqual([
    { status: 'rejected', reason: failure },
    { status: 'rejected', reason: failure },
  ])
  setResults([yes, no, yes, yes, permit2])
  expect(await get()).toEqual(all)
})

/** Creates the features of a router from the results of its four calls and of the call of Permit2. */
function start(first: readonly Result[] | Error) {
  let answers = first
  const reads: unknown[] = []
  const reader = {
    async aggregate(calls) {
      reads.push(calls)
      if (answers instanceof Error) throw answers
      return { timestampSeconds: 7n, results: answers }
    },
  } satisfies Pick<Reader, 'aggregate'>
  const facts = createFactReader({
    nodes: [],
    reader: reader as Pick<Reader, 'aggregate'> as Reader,
    doubts: { add() {} },
  })
  return {
    get: createRouterFeatures({ facts, router, chainId }),
    reads,
    setResults(results: readonly Result[]) {
      answers = results
    },
  }
}

function twice(result: Result): readonly Result[] {
  return [result, result]
}

function returned(data: Hex) {
  return { success: true, data } as const
}

function isFunction(item: { readonly type: string }): item is AbiFunction {
  return item.type === 'function'
}
