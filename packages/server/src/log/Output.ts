/** The standard output of a runtime. */
export type Output = {
  /**
   * Writes bytes without blocking the process. Resolves to the number of written bytes. Rejects if no byte can be
   * written now.
   */
  write(bytes: Uint8Array): Promise<number>
  /** Writes bytes while the process exits, if the write cannot block. */
  writeLast(bytes: Uint8Array): void
}
