import { isAgioError } from '../errors/AgioError.ts'
import type { ConversionRun } from './ConversionRun.ts'
import { isTagged } from './conversionTag.ts'

/**
 * Finds the mined conversion of an account with code by the transfers of its input token. Other accounts may send for
 * such an account, so a nonce does not identify the transaction. For an account without code it finds nothing.
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
 * Returns whether a transaction made the conversion. Another sender may pack the calldata, so that its id is not
 * visible. Then the service says whether the transaction executed the quote.
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
