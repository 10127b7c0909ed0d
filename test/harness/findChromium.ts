import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'

const run = promisify(execFile)

// Debian's Chromium, and Chrome as the runners of CI have it.
const paths = ['/usr/bin/chromium', '/usr/bin/google-chrome']

const installTimeoutMs = 300_000

/** Returns the path of Chromium, which is installed from the packages of the system if it is missing; undefined if it cannot be. */
export async function findChromium(): Promise<string | undefined> {
  const find = () => paths.find(existsSync)
  return find() ?? (await install().then(find, () => undefined))
}

async function install(): Promise<void> {
  const script = 'apt-get update && apt-get install --yes --no-install-recommends chromium'
  // Two runs that install at the same time would lock each other out.
  const command = ['flock', join(tmpdir(), 'agio-apt.lock'), 'sh', '-c', script]
  const [program = '', ...args] = process.getuid?.() === 0 ? command : ['sudo', '--non-interactive', ...command]
  await run(program, args, {
    timeout: installTimeoutMs,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}
