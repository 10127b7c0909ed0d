/** The standard output of a runtime. */
export type Output = {
  /** Writes bytes without blocking the process. Resolves to how many were written; rejects if none can be written now. */
  write(bytes: Uint8Array): Promise<number>
  /** Writes bytes while the process exits, only where that cannot block. */
  writeLast(bytes: Uint8Array): void
}
