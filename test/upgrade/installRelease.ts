import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

async function git(...args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', args, { cwd: root })
  return stdout.trim()
}

/**
 * Returns the commit of the newest release before this code: the newest tag, or else the commit that last changed the heading of a
 * release in CHANGELOG.md.
 *
 * @throws `Error` if this copy of the repository has no history
 */
async function findRelease(): Promise<string> {
  const isShallow = await git('rev-parse', '--is-shallow-repository').catch(() => 'true')
  if (isShallow !== 'false') {
    throw new Error(
      'Cannot test the upgrade: this copy of the repository has no history. Run git fetch --unshallow --tags, or clone it without --depth',
    )
  }
  const [tag = ''] = (await git('tag', '--list', 'v[0-9]*', '--merged', 'HEAD', '--sort=-v:refname')).split('\n')
  const commit =
    tag === ''
      ? await git('log', '-1', '--format=%H', '-G', String.raw`^## \[[0-9]`, '--', 'CHANGELOG.md')
      : await git('rev-list', '-1', tag)
  if (commit === '')
    throw new Error('Cannot test the upgrade: there is no release, neither a tag v… nor a heading in CHANGELOG.md')
  return commit
}

/** Installs the newest release in a folder of its own, once. Returns its commit and its folder. */
export async function installRelease(): Promise<{ readonly commit: string; readonly folder: string }> {
  const commit = await findRelease()
  // Outside of this repository, whose tests would read its files, and of node_modules, where Node strips no types.
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'agio-releases')
  const folder = join(cache, commit)
  if (existsSync(folder)) return { commit, folder }
  await mkdir(cache, { recursive: true })
  const draft = await mkdtemp(`${folder}-`)
  await run('sh', ['-c', `git archive ${commit} | tar -x -C "$1"`, 'sh', draft], { cwd: root })
  const install = ['-y', 'pnpm@12', 'install', '--frozen-lockfile', '--prod', '--filter', '@agio/server...']
  await run('npx', install, { cwd: draft, maxBuffer: 2 ** 26 })
  // Another run may have installed it meanwhile.
  await rename(draft, folder).catch(() => rm(draft, { recursive: true }))
  return { commit, folder }
}
