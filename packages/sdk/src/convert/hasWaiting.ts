import type { ConversionRun } from './ConversionRun.ts'

/** How long transactions that wait are waited for after a deadline: as long as most quotes hold. */
export const maxWaitSeconds = 60

/** Whether the account has sent transactions that are not mined yet. */
export async function hasWaiting({ session }: ConversionRun): Promise<boolean> {
  const pending = await session.countTransactions('pending')
  return pending > (await session.countTransactions('latest'))
}
