/** The log of the store, for operators. */
export type StoreLog = {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}
