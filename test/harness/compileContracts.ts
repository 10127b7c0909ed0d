import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/**
 * Compiles the contracts that have changed, so that `connectOwner` can deploy contracts of `contracts/testing`.
 *
 * @throws `Error` with the compiler's messages
 */
export async function compileContracts(): Promise<void> {
  const cli = join(dirname(createRequire(import.meta.url).resolve('hardhat')), 'cli.js')
  await promisify(execFile)(process.execPath, [cli, 'build', '--no-tests', '--quiet'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...process.env, HARDHAT_DISABLE_TELEMETRY: 'true' },
  })
}
