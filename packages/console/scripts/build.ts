// Builds the page into `dist`, unless `dist` already has a build of the same sources. Run by `pnpm build` and `pnpm
// start`.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import process from 'node:process'
import { stripVTControlCharacters } from 'node:util'

const folder = resolve(import.meta.dirname, '..')
const root = resolve(folder, '../..')
const target = join(folder, 'dist')
const fingerprintFile = 'fingerprint'
// Folders of running builds, named by process id.
const drafts = join(folder, 'build')

// Everything that determines the page: the sources of the page, its hooks and the SDK, and the versions of libraries.
const inputFiles = [
  'pnpm-lock.yaml',
  'tsconfig.json',
  ...['index.html', 'package.json', 'tsconfig.json', 'vite.config.ts'].map((name) => `packages/console/${name}`),
]
const inputFolders = ['packages/console/scripts', 'packages/console/src', 'packages/react/src', 'packages/sdk/src']

try {
  await buildChanged()
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error)
  console.error(stripVTControlCharacters(`Cannot build the console: ${reason.trim()}`))
  process.exitCode = 1
}

async function buildChanged(): Promise<void> {
  const fingerprint = hashInputs()
  if (fingerprint === (await readBuilt())) return
  console.log('Building the console')
  await removeEndedDrafts()
  const draft = join(drafts, String(process.pid))
  try {
    await writePage(draft)
    await writeFile(join(draft, fingerprintFile), fingerprint)
    await replaceBuilt(draft, fingerprint)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Returns one hash of all inputs. Synchronous reads take a third of the time. */
function hashInputs(): string {
  const hash = createHash('sha256')
  for (const path of [...inputFiles, ...inputFolders.flatMap(listSources)]) {
    hash.update(`${path}\n`).update(readFileSync(join(root, path)))
  }
  return hash.digest('hex')
}

function listSources(path: string): readonly string[] {
  const entries = readdirSync(join(root, path), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
  return files.map((file) => relative(root, join(file.parentPath, file.name))).sort()
}

async function readBuilt(): Promise<string | undefined> {
  if (!existsSync(join(target, 'index.html'))) return undefined
  return await readFile(join(target, fingerprintFile), 'utf8').catch(() => undefined)
}

async function writePage(draft: string): Promise<void> {
  // Otherwise Vite would build React for development if the environment says so.
  process.env['NODE_ENV'] = 'production'
  // Loaded on demand: Vite takes a second to load, and an unchanged page does not need it.
  const { build } = await import('vite')
  await build({
    configFile: join(folder, 'vite.config.ts'),
    configLoader: 'native',
    // This script prints errors, once.
    logLevel: 'silent',
    build: { outDir: draft, emptyOutDir: true },
  })
}

/** Replaces the last build with a finished build. If another process does the same, one of them wins. */
async function replaceBuilt(draft: string, fingerprint: string): Promise<void> {
  const last = `${draft}-last`
  for (;;) {
    await rename(target, last).catch(ignoreMissing)
    const isMoved = await rename(draft, target).then(
      () => true,
      () => false,
    )
    await rm(last, { recursive: true, force: true })
    if (isMoved || (await readBuilt()) === fingerprint) return
  }
}

/** Removes the folders of killed builds. */
async function removeEndedDrafts(): Promise<void> {
  await mkdir(drafts, { recursive: true })
  const ended = (await readdir(drafts)).filter((name) => !isRunning(Number.parseInt(name, 10)))
  for (const name of ended) await rm(join(drafts, name), { recursive: true, force: true })
}

function isRunning(pid: number): boolean {
  try {
    // Signal 0 only checks that the process exists; pids below 1 address groups of processes.
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
