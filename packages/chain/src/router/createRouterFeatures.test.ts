import { ServiceError } from '@agio/core'
import { numberToHex, toFunctionSelector, type AbiFunction, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { exactOutRouterAbi } from '../abi/index.ts'
import type { Reader, Result } from '../reader/createReader.ts'
import { createRouterFeatures, exactOutRouterId } from './createRouterFeatures.ts'

const router = '0x00000000000000000000000000000000000000a1'
const [yes, no] = [returned(numberToHex(1, { size: 32 })), returned(numberToHex(0, { size: 32 }))]
const reverted = { success: false, data: '0x' } as const
const all = { targetSwap: true, recipient: true }
const none = { targetSwap: false, recipient: false }

it('the id is that of the functions of IExactOutRouter', () => {
  const functions = (exactOutRouterAbi as readonly { readonly type: string }[]).filter(isFunction)
  const own = functions.filter(({ name }) => name !== 'supportsInterface').map((item) => toFunctionSelector(item))
  expect(own).toHaveLength(3)
  const id = own.reduce((sum, selector) => sum ^ BigInt(selector), 0n)
  expect(numberToHex(id, { size: 4 })).toBe(exactOutRouterId)
})

it('the features of a router that states them are read once, also for concurrent callers', async () => {
  const { get, reads } = start([yes, no, yes])
  expect(await Promise.all([get(), get()])).toEqual([all, all])
  expect(await get()).toEqual(all)
  expect(reads).toHaveLength(1)
})

it.each<[string, readonly Result[]]>([
  ['reverts', [reverted, reverted, reverted]],
  ['states ERC-165 alone', [yes, no, no]],
  ['states the invalid id as well', [yes, yes, yes]],
  ['does not state ERC-165', [no, no, yes]],
  ['returns a number', [yes, no, returned(numberToHex(2, { size: 32 }))]],
  ['returns a short result', [yes, no, returned('0x01')]],
  ['returns more than one word', [yes, no, returned(`${yes.data}${no.data.slice(2)}`)]],
  ['returns nothing for ours', [yes, no, returned('0x')]],
  ['has truth values in its revert', [yes, no, { ...yes, success: false }]],
])('a router that %s has no features, which is read once', async (_, results) => {
  const { get, reads } = start(results)
  expect([await get(), await get()]).toEqual([none, none])
  expect(reads).toHaveLength(1)
})

it('a router without code has no features, and is read again', async () => {
  const { get, setResults } = start([returned('0x'), returned('0x'), returned('0x')])
  expect(await get()).toEqual(none)
  setResults([yes, no, yes])
  expect(await get()).toEqual(all)
})

it('the features are read again after a read that failed', async () => {
  const { get, setResults } = start(new ServiceError('svc/upstream-timeout', 'Cannot read the chain: it is late', {}))
  const failure = expect.objectContaining({ code: 'svc/upstream-timeout' })
  const outcomes = await Promise.allSettled([get(), get()])
  expect(outcomes).toEqual([
    { status: 'rejected', reason: failure },
    { status: 'rejected', reason: failure },
  ])
  setResults([yes, no, yes])
  expect(await get()).toEqual(all)
})

/** The features of a router whose three answers are set. */
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
  return {
    get: createRouterFeatures({ reader, router }),
    reads,
    setResults(results: readonly Result[]) {
      answers = results
    },
  }
}

function returned(data: Hex) {
  return { success: true, data } as const
}

function isFunction(item: { readonly type: string }): item is AbiFunction {
  return item.type === 'function'
}
