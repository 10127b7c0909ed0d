import type { Step } from '@agio/sdk'
import { nameAmount } from '../conversion/conversionQuote.ts'
import { toStepTitle } from '../conversion/describeStep.ts'
import type { ErrorTexts } from '../errors/explainError.ts'
import { nameFinality, type Finality } from '../conversion/toFinality.ts'

/** The texts of the package. A provider can replace each, for example with those of another language. */
export type Texts = {
  /** Explanations of errors by code. Codes without one have the text of the SDK. */
  readonly errors: ErrorTexts
  /** Says what a conversion does at a step: `Approve 100 tAUD for the router`. */
  readonly step: (step: Step) => string
  /** Says what a finished conversion has paid out. */
  readonly received: (amount: string, token: { readonly symbol: string }) => string
  readonly connectWallet: string
  readonly enterAmount: string
  readonly gettingQuote: string
  readonly quoteExpired: string
  readonly ready: string
  readonly priceChanged: (from: string, to: string, symbol: string) => string
  readonly starting: string
  readonly confirmInWallet: string
  readonly waitingForSigners: string
  readonly searching: string
  readonly confirming: string
  /** Says how final a receipt is: `Confirming 1 of 11`. */
  readonly finality: (finality: Finality) => string
  readonly reorganised: string
  readonly otherTab: string
  readonly paused: string
  readonly mayHaveBeenSent: string
  /** The labels of the buttons. */
  readonly actions: Readonly<Record<ConvertAction, string>>
  /** The labels of the convert card. */
  readonly pay: string
  readonly receive: string
  readonly balance: string
  readonly connectTo: (walletName: string) => string
  readonly noWallet: string
}

/**
 * What a user can do. `convert` starts a conversion, `accept` accepts a worse price, `renew` gets a new quote, `resume` continues
 * the conversion, `stop` stops it before the next prompt, and `dismiss` removes it from the page.
 */
export type ConvertAction = 'convert' | 'accept' | 'renew' | 'resume' | 'stop' | 'dismiss'

/** The English texts. */
export const defaultTexts: Texts = {
  errors: {},
  step: (step) => toStepTitle(step, 'the network of the quote'),
  received: (amount, token) => `Received ${nameAmount(amount, token)}`,
  connectWallet: 'Connect a wallet to convert',
  enterAmount: 'Enter an amount',
  gettingQuote: 'Getting a quote…',
  quoteExpired: 'The quote has expired',
  ready: 'Ready to convert',
  priceChanged: (from, to, symbol) => `The price has changed from ${from} to ${to} ${symbol}`,
  starting: 'Starting…',
  confirmInWallet: 'Confirm in your wallet',
  waitingForSigners: 'Waiting for other signers',
  searching: 'Looking for your transaction…',
  confirming: 'Waiting for confirmation…',
  finality: nameFinality,
  reorganised: 'The chain has removed the block of this conversion. Its amounts may have changed',
  otherTab: 'This conversion runs in another tab',
  paused: 'This conversion is unfinished',
  mayHaveBeenSent: 'This conversion may have been sent. Resume it instead of starting another one',
  actions: {
    convert: 'Convert',
    accept: 'Accept the new price',
    renew: 'Get a new quote',
    resume: 'Resume',
    stop: 'Stop',
    dismiss: 'Dismiss',
  },
  pay: 'You pay',
  receive: 'You receive',
  balance: 'Balance',
  connectTo: (walletName) => `Connect ${walletName}`,
  noWallet: 'No wallet found in this browser',
}
