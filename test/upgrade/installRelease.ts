import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
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
  const folder = join(root, '.local/releases', commit)
  if (existsSync(folder)) return { commit, folder }
  const draft = `${folder}.unfinished`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true })
  await run('sh', ['-c', `git archive ${commit} | tar -x -C "$1"`, 'sh', draft], { cwd: root })
  const install = ['-y', 'pnpm@12', 'install', '--frozen-lockfile', '--prod', '--filter', '@agio/server...']
  await run('npx', install, { cwd: draft, maxBuffer: 2 ** 26 })
  await rename(draft, folder)
  return { commit, folder }
}
