import { fstatSync } from 'node:fs'

// POSIX writes up to this many bytes to a pipe as a whole. It writes any number of bytes to a file as a whole.
const pipeWriteBytes = 4096

/** Returns the largest write to the standard output that is atomic, if several processes share it. */
export function findMaxWriteBytes({ isShared }: { readonly isShared: boolean }): number | undefined {
  return isShared && !fstatSync(1).isFile() ? pipeWriteBytes : undefined
}

/** The standard output of a runtime. */
export type Output = {
  /**
   * Writes bytes without blocking the process. Resolves to the number of written bytes. Rejects if no byte can be
   * written now.
   */
  write(bytes: Uint8Array): Promise<number>
  /** The largest write, in bytes; undefined if any size is permitted. */
  readonly maxWriteBytes?: number | undefined
  /** Writes bytes while the process exits, if the write cannot block. */
  writeLast(bytes: Uint8Array): void
}
