import { wait, withSignal } from '../client/withSignal.ts'
import { clientError } from '../errors/AgioError.ts'
import { toWalletError } from './toWalletError.ts'
import type { Wallet } from './Wallet.ts'

/** Creates a link that makes requests to a wallet, and stops waiting for them as soon as the signal is aborted. */
export function createWalletLink(wallet: Wallet, signal: AbortSignal | undefined): WalletLink {
  const run: WalletLink['run'] = async (request, ask) => {
    if (signal?.aborted) throw toAborted(signal)
    try {
      return await ask()
    } catch (error) {
      throw toWalletError(error, request)
    }
  }
  const request: WalletLink['ask'] = ({ method, params = [], chainId }) =>
    run({ method, chainId }, async () => await withSignal(signal, () => send(wallet, { method, params }), toAborted))
  return {
    run,
    ask: request,
    read: async (method, params) => await request({ method, params }),
    pause: (ms) => run({ method: 'pause' }, async () => await wait(ms, signal, toAborted)),
  }
}

/** The requests of a session. All of them throw `convert/aborted` once the signal is aborted, and `wallet/*`. */
export type WalletLink = {
  /** Makes a request once. The wallet may prompt. */
  ask(request: WalletRequest): Promise<unknown>
  /** Makes a request that does not prompt. */
  read(method: string, params?: readonly unknown[]): Promise<unknown>
  /** Runs a request to its end, even if the signal is aborted meanwhile. Does not start if it is aborted already. */
  run<Value>(request: toWalletError.Options, ask: () => Promise<Value>): Promise<Value>
  /** Waits for a number of milliseconds. */
  pause(ms: number): Promise<void>
}

type WalletRequest = toWalletError.Options & { readonly params?: readonly unknown[] | undefined }

/** The `request` of viem with its options. Other providers must not get a second argument. */
type ViemRequest = (args: object, options: { readonly retryCount: number }) => Promise<unknown>

async function send(wallet: Wallet, args: { readonly method: string; readonly params: unknown }): Promise<unknown> {
  if (!isViemClient(wallet)) return await wallet.request(args)
  // viem would retry a request that a wallet rejects without a code, and prompt again.
  return await (wallet.request as ViemRequest)(args, { retryCount: 0 })
}

function isViemClient(wallet: object): boolean {
  return 'transport' in wallet && 'uid' in wallet
}

function toAborted({ reason }: AbortSignal) {
  return clientError('convert/aborted', 'Cannot continue: the signal was aborted', { cause: reason as unknown })
}
