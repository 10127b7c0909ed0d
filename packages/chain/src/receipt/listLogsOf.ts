import type { Address } from '@agio/core'
import type { TransactionLog } from '../transaction/readReceipt.ts'

/**
 * Lists the logs of some contracts, each with the checksum address of its contract. The addresses are compared in lower case: a
 * transaction may have logs of 70,000 contracts, and a checksum takes 20 µs.
 */
export function listLogsOf(contracts: Iterable<Address>, logs: readonly TransactionLog[]): readonly TransactionLog[] {
  const byLowerCase = new Map([...contracts].map((address) => [address.toLowerCase(), address]))
  return logs.flatMap((log) => {
    const address = byLowerCase.get(log.address.toLowerCase())
    return address === undefined ? [] : [{ ...log, address }]
  })
}
