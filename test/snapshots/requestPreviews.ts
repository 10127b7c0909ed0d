import type { LocalChain } from '@agio/localnet'
import type { AgioStack } from '../harness/startAgio.ts'
import { listConversions, type Conversion } from './listConversions.ts'

/** The outcome of a preview. */
export type Preview = {
  readonly conversion: Conversion
  readonly status: number
  readonly code: unknown
  readonly blockNumber: number
  readonly amountOut: string
}

/** Requests a number of previews concurrently, of all conversions in turn: every fifth over tRPC, the others over REST. */
export function requestPreviews(
  { callers }: AgioStack,
  chain: LocalChain,
  number: number,
): readonly Promise<Preview>[] {
  const conversions = listConversions(chain)
  return Array.from({ length: number }, async (_, index) => {
    const conversion = conversions[index % conversions.length] as Conversion
    const call = index % 5 === 4 ? callers.tRPC : callers.REST
    const { status, data, failure } = await call('convert.preview', { chainId: chain.chainId, ...conversion })
    return {
      conversion,
      status,
      code: failure?.code,
      blockNumber: Number(data?.['blockNumber']),
      amountOut: String(data?.['amountOut']),
    }
  })
}
