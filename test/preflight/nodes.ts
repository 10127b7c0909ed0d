import { rejectOverrides } from '../stack/rejectOverrides.ts'
import type { Answer } from '../stack/startProxy.ts'
import { ignoreOverrides } from './ignoreOverrides.ts'
import { applyOverrides } from './applyOverrides.ts'

/** How a node treats state overrides, and the source of the gas estimates over it. */
export const nodes = {
  'takes overrides': { answer: applyOverrides, withAll: 'estimate-as-if', lacking: 'estimate-as-if' },
  'takes them for calls alone': { answer: undefined, withAll: 'call-as-if', lacking: 'call-as-if' },
  'ignores them for estimates': {
    answer: (url: string) => ignoreOverrides(url, 'eth_estimateGas'),
    withAll: 'call-as-if',
    lacking: 'call-as-if',
  },
  'refuses them': { answer: rejectOverrides, withAll: 'estimate', lacking: 'upper-bound' },
  'ignores them': {
    answer: (url: string) => ignoreOverrides(url, 'eth_estimateGas', 'eth_call'),
    withAll: 'estimate',
    lacking: 'upper-bound',
  },
} as const satisfies Record<string, { answer: ((url: string) => Answer) | undefined; withAll: string; lacking: string }>

export type NodeName = keyof typeof nodes
