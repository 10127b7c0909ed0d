/** Where the store writes what an operator should hear of. */
export type StoreLog = {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}
