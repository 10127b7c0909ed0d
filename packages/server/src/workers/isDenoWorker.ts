import process from 'node:process'

/** The argument of `deno.ts` that makes it one of several workers. */
export const workerArgument = '--worker'

/** Whether this process is a worker on Deno. */
export const isDenoWorker = process.argv.includes(workerArgument)
