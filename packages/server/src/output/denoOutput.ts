import { fstatSync } from 'node:fs'
import { isDenoWorker } from '../workers/isDenoWorker.ts'
import { pipeWriteBytes, type Output } from './Output.ts'

declare const Deno: {
  readonly stdout: { write(bytes: Uint8Array): Promise<number>; writeSync(bytes: Uint8Array): number }
}

/** The standard output on Deno. Its writes wait in their own thread. */
export const denoOutput: Output = {
  maxWriteBytes: isDenoWorker ? pipeWriteBytes : undefined,
  write: async (bytes) => await Deno.stdout.write(bytes),
  writeLast(bytes) {
    // A pipe may block.
    if (!fstatSync(1).isFile()) return
    try {
      Deno.stdout.writeSync(bytes)
    } catch {}
  },
}
