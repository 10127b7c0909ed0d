import { ServiceError } from '@agio/core'
import type { Stage } from '../Scenario.ts'

/** @throws `svc/invalid-request` while nothing is mined: a block for a fault would also hold what is to stay pending */
export async function assertMining({ chain: { chainId }, operator }: Stage): Promise<void> {
  if (await operator.client.getAutomine()) return
  const message = `Cannot change chain ${chainId}: nothing is mined there. Run the scenario mine or reset first`
  throw new ServiceError('svc/invalid-request', message, { field: 'chainId', value: chainId })
}
