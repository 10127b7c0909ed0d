import type { ConversionRun } from './ConversionRun.ts'

/** Seconds to wait for pending transactions after a deadline. Most quotes are valid for this long. */
export const maxWaitSeconds = 60

/** Returns whether the account has pending transactions. */
export async function hasWaiting({ session }: ConversionRun): Promise<boolean> {
  const pending = await session.countTransactions('pending')
  return pending > (await session.countTransactions('latest'))
}
