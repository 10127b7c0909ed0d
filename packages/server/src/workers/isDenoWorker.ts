import process from 'node:process'

/** The argument that starts `deno.ts` as a worker. */
export const workerArgument = '--worker'

/** Whether this process is a worker on Deno. */
export const isDenoWorker = process.argv.includes(workerArgument)
