import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { assets, checkout } from '../assets/assets.ts'

/** The package of the workspace that each download comes from. */
const packages = { 'agio-sdk.tgz': 'sdk', 'agio-react.tgz': 'react', 'agio-convert.js': 'react' } as const

type DownloadName = keyof typeof packages
type PackageName = (typeof packages)[DownloadName]

// Everything that determines a package: its sources, and the versions of its tools. `@agio/react` contains the SDK.
const inputPackages: { readonly [Name in PackageName]: readonly PackageName[] } = {
  sdk: ['sdk'],
  react: ['react', 'sdk'],
}
const inputFiles = ['package.json', 'README.md', 'tsconfig.json']
const inputFolders = ['scripts', 'src']

/**
 * Creates the files that a local stack serves for `npm install` and for pages: the packages `@agio/sdk` and `@agio/react`, and the
 * script of the element. In the repository the script of a package packs it when it is first read, and again only after its
 * sources have changed. The published package contains them.
 */
export function createDownloads(options: Options): Downloads {
  if (checkout !== undefined) return createFromSources(checkout, options)
  return { files: toFiles((name) => readFile(assets[name])), [Symbol.asyncDispose]: () => Promise.resolve() }
}

type Options = { readonly onProgress: (message: string) => void }

/** The files of the packages. Disposing them stops a build. */
export type Downloads = AsyncDisposable & {
  /** Functions that return the bytes of a file, by its path at the service. Each throws the error of its build. */
  readonly files: Readonly<Record<`/downloads/${DownloadName}`, () => Promise<Uint8Array>>>
}

function toFiles(read: (name: DownloadName) => Promise<Uint8Array>): Downloads['files'] {
  const names = Object.keys(packages) as DownloadName[]
  return Object.fromEntries(names.map((name) => [`/downloads/${name}`, () => read(name)])) as Downloads['files']
}

function createFromSources(root: string, { onProgress }: Options): Downloads {
  const stopping = new AbortController()
  const packing = new Map<PackageName, Promise<string>>()

  async function find(name: PackageName): Promise<string> {
    const folder = join(root, '.local', name, hashInputs(root, name))
    if (existsSync(folder)) return folder
    onProgress(`Packing @agio/${name} for a download`)
    await pack(name, { root, folder, signal: stopping.signal })
    onProgress(`Packed @agio/${name}`)
    return folder
  }
  return {
    files: toFiles(async (name) => {
      const source = packages[name]
      const folder = packing.get(source) ?? find(source).finally(() => packing.delete(source))
      packing.set(source, folder)
      try {
        return await readFile(join(await folder, name))
      } catch (error) {
        if (!stopping.signal.aborted) onProgress(`Cannot pack @agio/${source}: ${describe(error)}`)
        throw error
      }
    }),
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await Promise.allSettled(packing.values())
    },
  }
}

/** Packs a package into a folder, and removes the folders of earlier sources. */
async function pack(name: PackageName, { root, folder, signal }: PackOptions): Promise<void> {
  const parent = dirname(folder)
  await mkdir(parent, { recursive: true })
  const earlier = (await readdir(parent)).filter((each) => !each.startsWith('draft-'))
  const draft = await mkdtemp(join(parent, 'draft-'))
  try {
    const script = join(root, 'packages', name, 'scripts/pack.ts')
    await promisify(execFile)(process.execPath, [script, draft], { signal })
    const tarball = (await readdir(draft)).find((file) => file.endsWith('.tgz')) ?? ''
    await rename(join(draft, tarball), join(draft, `agio-${name}.tgz`))
    await rename(draft, folder)
    for (const each of earlier) await rm(join(parent, each), { recursive: true, force: true })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

type PackOptions = { readonly root: string; readonly folder: string; readonly signal: AbortSignal }

/** Returns one hash of all inputs. */
function hashInputs(root: string, name: PackageName): string {
  const hash = createHash('sha256')
  const inputs = inputPackages[name].flatMap((each) => [
    ...inputFiles.map((file) => `packages/${each}/${file}`),
    ...inputFolders.flatMap((folder) => listSources(root, `packages/${each}/${folder}`)),
  ])
  for (const path of ['pnpm-lock.yaml', 'tsconfig.json', ...inputs]) {
    hash.update(`${path}\n`).update(readFileSync(join(root, path)))
  }
  return hash.digest('hex')
}

function listSources(root: string, path: string): readonly string[] {
  const names = readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => /\.(tsx?|css)$/.test(name) && !name.includes('.test.'))
    .map((name) => join(path, name))
    .toSorted()
}

function describe(error: unknown): string {
  const { stderr, message } = error as { readonly stderr?: string; readonly message?: string }
  return stderr?.trim() || message || String(error)
}
