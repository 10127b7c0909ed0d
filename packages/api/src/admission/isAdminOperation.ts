/** Whether an operation is the operator's, and opened by the admin key alone. */
export function isAdminOperation(operation: string): boolean {
  return operation.startsWith('admin.')
}

/** The one of them that counts as a call, on the API key that is shown beside the admin key. */
export const countedAdminOperation = 'admin.stats'
