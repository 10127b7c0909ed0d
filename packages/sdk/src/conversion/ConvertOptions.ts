import type { AgioQuote, AgioQuoteData } from '../quote/AgioQuote.ts'
import type { Wallet, WalletCapabilities } from '../wallet/Wallet.ts'
import type { ExpectedRequest } from './assertExpected.ts'
import type { Step } from './Step.ts'

/** Options of `agio.convert`. */
export type ConvertOptions = Omit<ResumeOptions, 'expected'> & {
  /** The quote to convert at: the object itself, or the object parsed from JSON. */
  readonly quote: AgioQuote | AgioQuoteData
}

/** Options of `agio.resume`. */
export type ResumeOptions = {
  /**
   * What the stored conversion must be: another step may have been stored in its place. It is compared with the step before
   * anything is asked, and a difference is `convert/invalid-step`. If it names no recipient, the account that pays must be
   * the recipient.
   */
  readonly expected?: ExpectedRequest | undefined
  /** The wallet that pays: a viem `WalletClient`, or any EIP-1193 provider. */
  readonly wallet: Wallet
  /**
   * Stops the conversion: nothing more is requested or sent. Transactions that were already sent cannot be stopped, and
   * the conversion can be resumed.
   */
  readonly signal?: AbortSignal | undefined
  /**
   * What to do if the quote expires before the conversion is sent. `requote` converts at current prices within the
   * accepted limit, or fails. `fail` throws `svc/quote-expired`.
   *
   * @default 'requote'
   */
  readonly onQuoteExpired?: 'requote' | 'fail' | undefined
  /**
   * How to pay the token if the allowance is too low. `shortest` uses a batch, a signature or an approval: the first
   * that the wallet and the token support. `approve` always uses an approval.
   *
   * @default 'shortest'
   */
  readonly approval?: 'shortest' | 'approve' | undefined
  /**
   * What to do if the user or the wallet refuses a batch or a permit. `approve` continues in the next way, which ends in
   * an approval. `stop` throws the refusal. A refused way is never requested again in the conversion, also after it is
   * resumed.
   *
   * @default 'stop' if the user refuses, 'approve' if the wallet cannot do it
   */
  readonly onRefused?: 'stop' | 'approve' | undefined
  /**
   * Most that the gas of each transaction may cost, in wei. It is compared with the gas limit times the highest fee, or
   * times the fee of the market if the wallet chooses the fees. Batches are not compared.
   */
  readonly maxGasCost?: bigint | undefined
  /**
   * Capabilities to request for a batch, if the wallet reports them. They are never stored in a step: pass them to
   * `resume` again. Throws `TypeError` for a URL that is not `https:`.
   */
  readonly capabilities?: WalletCapabilities | undefined
  /**
   * How final the block of the conversion must be at the node before the receipt is returned. The next conversion of the
   * same token begins as soon as this one is included.
   *
   * @default 'included'
   */
  readonly waitFor?: 'included' | 'safe' | 'finalized' | undefined
  /**
   * Called with each step and awaited, so that a step is stored before the wallet is asked. If it throws, the
   * conversion ends and throws the same error. Errors at the last step (`confirm` `done`, or any `failed`) are ignored.
   */
  readonly onStep?: ((step: Step) => void | Promise<void>) | undefined
}
