/** Operation name recorded for unmatched paths. */
export const unknownOperation = 'unknown'

/** The only admin operation that counts as a call of the API key sent beside the admin key. */
export const countedAdminOperation = 'admin.stats'

/** Whether an operation requires the admin key instead of an API key. */
export function isAdminOperation(operation: string): boolean {
  return operation.startsWith('admin.')
}
