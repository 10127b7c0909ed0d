import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

const cache = fileURLToPath(new URL('../../node_modules/.cache/prometheus', import.meta.url))
const unpacked = join(cache, 'usr/bin/promtool')

/**
 * Returns the path of promtool: of the system, or of Debian's package, which is unpacked once and not installed, because it would
 * start a server.
 *
 * @throws `Error` if neither exists
 */
async function getPromtool(): Promise<string> {
  if (existsSync('/usr/bin/promtool')) return '/usr/bin/promtool'
  if (existsSync(unpacked)) return unpacked
  await mkdir(join(cache, '..'), { recursive: true })
  const folder = await mkdtemp(`${cache}-`)
  try {
    await run('apt-get', ['download', 'prometheus'], { cwd: folder })
    await run('sh', ['-c', 'dpkg -x prometheus_*.deb unpacked'], { cwd: folder })
    await rename(join(folder, 'unpacked'), cache)
  } catch (cause) {
    throw new Error("Cannot test the alerts: install promtool, or run where apt-get finds Debian's prometheus", {
      cause,
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return unpacked
}

/** Runs promtool. Returns its output. @throws `Error` with its output if it fails */
export async function runPromtool(...args: readonly string[]): Promise<string> {
  try {
    return (await run(await getPromtool(), args)).stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string }
    throw stdout || stderr ? new Error(`promtool ${args.join(' ')}: ${stdout}${stderr}`) : error
  }
}
