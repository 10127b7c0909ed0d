import type { AgioQuote, AgioQuoteData } from '../quote/AgioQuote.ts'
import type { Wallet } from '../wallet/Wallet.ts'
import type { Step } from './Step.ts'

/** A conversion to make. */
export type ConvertOptions = ResumeOptions & {
  /** The quote to convert at, as it came or through JSON. */
  readonly quote: AgioQuote | AgioQuoteData
}

/** How a conversion is made. */
export type ResumeOptions = {
  /** The wallet that pays: a viem `WalletClient`, or any EIP-1193 provider. */
  readonly wallet: Wallet
  /** Stops the conversion: nothing is asked or sent after it. What was sent before goes on, and can be resumed. */
  readonly signal?: AbortSignal | undefined
  /**
   * What to do when the quote expires before the conversion is sent: `requote` converts at the market of then, within the limit
   * that was accepted, or fails; `fail` throws `svc/quote-expired`.
   *
   * @default 'requote'
   */
  readonly onQuoteExpired?: 'requote' | 'fail' | undefined
  /**
   * How the token is paid where the allowance is too low: `shortest` by a batch, else by a signature, else by an approval, as the
   * wallet and the token allow; `approve` always by an approval.
   *
   * @default 'shortest'
   */
  readonly approval?: 'shortest' | 'approve' | undefined
  /**
   * Is called with each step and awaited, so that a step is stored before the wallet is asked. What it throws ends the conversion,
   * which throws it, except at the last step, `confirm` `done` or a `failed` one: the conversion then ends as that step says.
   */
  readonly onStep?: ((step: Step) => void | Promise<void>) | undefined
}
