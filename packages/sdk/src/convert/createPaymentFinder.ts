import { isAgioError } from '../errors/AgioError.ts'
import type { ConversionRun } from './ConversionRun.ts'
import { isTagged } from './conversionTag.ts'

/**
 * Finds the mined conversion of an account with code, which others may send for, so that no nonce leads to it: by the transfers of
 * the token that it paid. Of an account without code it finds nothing.
 */
export function createPaymentFinder(run: ConversionRun, fromBlock: number): () => Promise<`0x${string}` | undefined> {
  const { session, state } = run
  const others = new Set<string>()

  return async () => {
    if (!(await session.hasCode())) return undefined
    for (const hash of await session.listTransfers(state.quote.tokenIn.address, fromBlock)) {
      if (others.has(hash)) continue
      if (await isConversion(run, hash)) return hash
      others.add(hash)
    }
    return undefined
  }
}

/**
 * Whether a transaction made the conversion. What another account has sent may have its calldata packed, so that its id does not
 * show: then the service says whether it executed the quote.
 */
async function isConversion(run: ConversionRun, transactionHash: `0x${string}`): Promise<boolean> {
  const { service, session, state, options } = run
  const found = await session.getTransaction(transactionHash)
  if (!found) return false
  if (isTagged(run)(found)) return true
  if (found.from === session.account.toLowerCase()) return false
  const input = { transactionHash, chainId: state.chainId, quote: state.quote.quote }
  try {
    const { status } = await service.unretried.convert.receipt.query(input, { signal: options.signal })
    return status === 'success'
  } catch (error) {
    if (isAgioError(error) && otherCodes.has(error.code)) return false
    throw error
  }
}

const otherCodes: ReadonlySet<string> = new Set(['svc/quote-mismatch', 'svc/not-a-conversion'])
