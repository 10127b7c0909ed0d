import { readerAbi } from '@agio/chain/abi'
import { decodeFunctionData, decodeFunctionResult, encodeFunctionResult, toFunctionSelector, type Hex } from 'viem'
import type { Proxy } from '../harness/startProxy.ts'
import type { Upstreams } from './startUpstreams.ts'

/** A call of a contract that our Reader makes. */
export type ContractCall = { readonly target: string; readonly data: Hex }

/** Makes some of the calls that our Reader makes return a word, or fail, at the first node. */
export function lieAbout(upstreams: Upstreams, isLie: (call: ContractCall) => boolean, word: Hex | 'fails'): void {
  const lie = word === 'fails' ? failure : { success: true, data: word }
  changeResults(upstreams, 'aggregate', (data, result) => {
    const [proof, timestamp, results] = decodeFunctionResult({
      abi: readerAbi,
      functionName: 'aggregate',
      data: result,
    })
    const changed = decodeCalls(data).map((call, index) => (isLie(call) ? lie : (results[index] ?? failure)))
    return encodeFunctionResult({ abi: readerAbi, functionName: 'aggregate', result: [proof, timestamp, changed] })
  })
}

const failure = { success: false, data: '0x' } as const

/** Makes a node return other states of pools; the first node by default. */
export function changeStates(
  upstreams: Upstreams,
  change: (probed: ProbedState) => ProbedState,
  node: Proxy = upstreams.first,
): void {
  changeResults({ ...upstreams, first: node }, 'probedStates', (_, data) => {
    const functionName = 'probedStates'
    const [proof, timestamp, states] = decodeFunctionResult({ abi: readerAbi, functionName, data })
    const result = [proof, timestamp, states.map(change)] as const
    return encodeFunctionResult({ abi: readerAbi, functionName, result })
  })
}

type ProbedState = ReturnType<typeof decodeFunctionResult<typeof readerAbi, 'probedStates'>>[2][number]

/** Returns the calls of an `aggregate` of our Reader. */
export function decodeCalls(data: Hex): readonly ContractCall[] {
  const [calls] = decodeFunctionData({ abi: readerAbi, data }).args as readonly [readonly ContractCall[]]
  return calls
}

/** Makes the first node change the results of a function of our Reader. */
export function changeResults(
  { first, answerCalls }: Pick<Upstreams, 'first' | 'answerCalls'>,
  functionName: ReaderFunction,
  change: (data: Hex, result: Hex) => Hex,
): void {
  answerCalls(first, async (call, callNode) => {
    const reply = await callNode(call)
    const data = findData(call, functionName)
    return data && reply.result ? { ...reply, result: change(data, reply.result as Hex) } : reply
  })
}

type ReaderFunction = 'aggregate' | 'probedStates'

/** Returns the data of a call of a function of our Reader; undefined for any other call. */
export function findData(
  { method, params }: { readonly method: string; readonly params?: readonly unknown[] },
  functionName: ReaderFunction,
): Hex | undefined {
  const selectors = readerAbi.filter(({ name }) => name === functionName).map((item) => toFunctionSelector(item))
  const { data } = (method === 'eth_call' ? (params?.[0] ?? {}) : {}) as { readonly data?: Hex }
  return selectors.some((selector) => data?.startsWith(selector)) ? data : undefined
}
