/** POSIX writes up to this many bytes to a pipe as a whole. */
export const pipeWriteBytes = 4096

/** The standard output of a runtime. */
export type Output = {
  /** Writes bytes without blocking the process. Resolves to how many were written; rejects if none can be written now. */
  write(bytes: Uint8Array): Promise<number>
  /** The most bytes of a write that other processes cannot interrupt, where several write to this output. */
  readonly maxWriteBytes?: number | undefined
  /** Writes bytes while the process exits, only where that cannot block. */
  writeLast(bytes: Uint8Array): void
}
