import type { AgioQuote, Step, StepError, SuccessfulReceipt } from '@agio/sdk'
import { expect, it } from 'vitest'
import type { PageConversion } from '../conversion/PageConversion.ts'
import { pending, quote as data, toStep } from '../conversion/testSteps.ts'
import type { QuoteView } from '../quote/QuoteView.ts'
import { defaultTexts } from '../texts/texts.ts'
import { toConvertView } from './toConvertView.ts'

const quote = data as AgioQuote
const acts = { accept: () => {}, renew: async () => undefined, isFetching: false }
const ready: QuoteView = { ...acts, status: 'ready', quote, secondsLeft: 50 }
const issue = { code: 'svc/insufficient-balance', message: '', required: '100', current: '5' } as const
const short: QuoteView = { ...ready, quote: { ...quote, issues: [issue] } }
const change = { mode: 'exact-in', symbol: 'tUSD', from: '65', to: '60' } as const

const error = { code: 'wallet/rejected', message: '', userMessage: '', details: {}, retryable: true } as const
const stopped = { ...error, code: 'convert/aborted', action: 'retry' } as unknown as StepError
const failed = (action: 'retry' | 'resume') => ({ status: 'failed', error: { ...error, action } as StepError }) as const
const asking = toStep({ kind: 'convert', status: 'waiting-for-wallet' }, { pending })
const sent = toStep({ kind: 'convert', status: 'sent', transactionHash: '0x1' }, { pending })
const receipt = { amountOut: '65', tokenOut: quote.tokenOut } as SuccessfulReceipt
const done = toStep({ kind: 'confirm', status: 'done', transactionHash: '0x1', receipt })
const at = (step: Step, phase: PageConversion['phase'] = 'running'): PageConversion => ({
  id: step.conversionId,
  quote,
  steps: [step],
  phase,
})

it.each<[string, Partial<toConvertView.Input>, string, readonly string[]]>([
  ['an empty amount', { quote: { ...acts, status: 'idle' } }, 'no-quote', []],
  [
    'a failed quote',
    { quote: { ...acts, status: 'failed', quote: undefined, error, at: 0, isRepeated: true } },
    'no-quote',
    ['renew'],
  ],
  ['no wallet', { hasWallet: false }, 'no-wallet', []],
  ['a quote', {}, 'ready', ['convert']],
  ['a wallet that holds too little', { quote: short }, 'blocked', []],
  ['a worse price', { quote: { ...ready, status: 'changed', change } }, 'price-changed', ['accept']],
  ['a prompt', { conversion: at(asking) }, 'confirm-in-wallet', ['stop']],
  ['a transaction', { conversion: at(sent) }, 'confirming', []],
  [
    'a receipt that is not final',
    { conversion: at(done, 'idle'), finality: { kind: 'confirming' } },
    'done',
    ['convert', 'dismiss'],
  ],
  [
    'a receipt whose block is gone',
    { conversion: at(done, 'idle'), finality: { kind: 'reorganised' } },
    'reorganised',
    [],
  ],
  [
    'a receipt that was replaced',
    { conversion: at(done, 'idle'), finality: { kind: 'gone' } },
    'reorganised',
    ['convert', 'dismiss'],
  ],
  ['a conversion of another tab', { conversion: at(sent, 'elsewhere') }, 'other-tab', []],
  ['a reload during a prompt', { conversion: at(asking, 'idle') }, 'paused', ['resume']],
  [
    'a refusal',
    { conversion: at(toStep({ kind: 'convert', ...failed('retry') }), 'idle') },
    'failed',
    ['convert', 'dismiss'],
  ],
  [
    'a stop before anything was sent',
    { conversion: at(toStep({ kind: 'convert', status: 'failed', error: stopped }), 'idle') },
    'failed',
    ['convert', 'dismiss'],
  ],
  [
    'an unknown answer of the wallet',
    { conversion: at(toStep({ kind: 'convert', ...failed('resume') }, { pending }), 'idle') },
    'unknown',
    ['resume'],
  ],
])('the state after %s has one status and its buttons', (_, input, status, actions) => {
  const shared = { hasWallet: true, quote: ready, isStarting: false, conversion: undefined, texts: defaultTexts }
  const view = toConvertView({ ...shared, ...input })
  expect(view).toMatchObject({ status, actions })
  expect(view.text).toMatch(/^[A-Z]/)
})
