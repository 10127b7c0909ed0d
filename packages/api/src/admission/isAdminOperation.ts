/** Whether an operation is the operator's, and opened by the admin key alone. */
export function isAdminOperation(operation: string): boolean {
  return operation.startsWith('admin.')
}
