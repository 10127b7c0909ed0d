import { fstatSync } from 'node:fs'

// POSIX writes up to this many bytes to a pipe as a whole. A file takes any number of bytes as a whole, unless the disk is full.
const pipeWriteBytes = 4096

/** Returns the largest atomic write to a standard output that several processes share; undefined if there is no limit. */
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
