/** POSIX writes up to this many bytes to a pipe as a whole. */
export const pipeWriteBytes = 4096

/** The standard output of a runtime. */
export type Output = {
  /**
   * Writes bytes without blocking the process. Resolves to the number of written bytes. Rejects if no byte can be
   * written now.
   */
  write(bytes: Uint8Array): Promise<number>
  /** The largest write that is atomic if several processes write to this output, in bytes. */
  readonly maxWriteBytes?: number | undefined
  /** Writes bytes while the process exits, if the write cannot block. */
  writeLast(bytes: Uint8Array): void
}
