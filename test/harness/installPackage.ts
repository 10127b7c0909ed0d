import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'

const run = promisify(execFile)

const installTimeoutMs = 300_000

/** Installs a package of the system. @throws `Error` if this user cannot install packages */
export async function installPackage(name: string): Promise<void> {
  const script = `apt-get update && apt-get install --yes --no-install-recommends ${name}`
  // Two runs that install at the same time would lock each other out.
  const command = ['flock', join(tmpdir(), 'agio-apt.lock'), 'sh', '-c', script]
  const [program = '', ...args] = process.getuid?.() === 0 ? command : ['sudo', '--non-interactive', ...command]
  await run(program, args, {
    timeout: installTimeoutMs,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}
