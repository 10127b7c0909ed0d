import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { projectRoot } from '../projectRoot.ts'

/**
 * Lets Hardhat compile what it has not compiled yet, in a process of its own: what it prints stays there, and so does
 * the compiler's memory.
 *
 * @throws `Error` with the compiler's messages
 */
export async function runBuild(): Promise<void> {
  const cli = join(dirname(createRequire(import.meta.url).resolve('hardhat')), 'cli.js')
  await new Promise<void>((resolve, reject) => {
    const options = { cwd: projectRoot, env: { ...process.env, HARDHAT_DISABLE_TELEMETRY: 'true' } }
    const build = execFile(process.execPath, [cli, 'build', '--no-tests', '--quiet'], options, (error, out, err) => {
      process.off('exit', kill)
      if (error) reject(new Error(`Cannot compile the contracts:\n${out}${err}`))
      else resolve()
    })
    const kill = () => build.kill()
    process.once('exit', kill)
  })
}
