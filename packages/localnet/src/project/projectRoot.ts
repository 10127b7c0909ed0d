import { join } from 'node:path'

/** The folder of hardhat.config.ts, so that every command works from any working directory. */
export const projectRoot = join(import.meta.dirname, '../../../..')
