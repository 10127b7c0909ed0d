import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { assets, checkout } from '../assets/assets.ts'

// Everything that determines the package: its sources, and the versions of its tools.
const inputFiles = ['pnpm-lock.yaml', 'tsconfig.json', ...['package.json', 'README.md', 'tsconfig.json'].map(inSdk)]
const inputFolders = ['scripts', 'src'].map(inSdk)

/**
 * Creates the tarball of `@agio/sdk`. In the repository its own script packs it when it is first read, and again only after
 * its sources have changed. The published package contains it.
 */
export function createSdkPackage(options: createSdkPackage.Options): SdkPackage {
  if (checkout !== undefined) return createFromSources(checkout, options)
  return { read: () => readFile(assets['agio-sdk.tgz']), [Symbol.asyncDispose]: () => Promise.resolve() }
}

export declare namespace createSdkPackage {
  type Options = { readonly onProgress: (message: string) => void }
}

/** The tarball of the SDK. Disposing it stops its build. */
export type SdkPackage = AsyncDisposable & {
  /** Returns the bytes of the tarball. @throws the error of its build */
  read(): Promise<Uint8Array>
}

function createFromSources(root: string, { onProgress }: createSdkPackage.Options): SdkPackage {
  const stopping = new AbortController()
  let packing: Promise<string> | undefined

  async function find(): Promise<string> {
    const file = join(root, '.local/sdk', `${hashInputs(root)}.tgz`)
    if (existsSync(file)) return file
    onProgress('Packing the SDK for a download')
    await pack(join(root, 'packages/sdk'), { file, signal: stopping.signal })
    onProgress('Packed the SDK')
    return file
  }
  return {
    async read() {
      packing ??= find().finally(() => {
        packing = undefined
      })
      try {
        return await readFile(await packing)
      } catch (error) {
        if (!stopping.signal.aborted) onProgress(`Cannot pack the SDK: ${describe(error)}`)
        throw error
      }
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await packing?.catch(() => {})
    },
  }
}

/** Packs the SDK into a file, and removes the packages of earlier sources. */
async function pack(source: string, { file, signal }: PackOptions): Promise<void> {
  const folder = dirname(file)
  await mkdir(folder, { recursive: true })
  const draft = await mkdtemp(join(folder, 'draft-'))
  try {
    await promisify(execFile)(process.execPath, [join(source, 'scripts/pack.ts'), draft], { signal })
    const [name = ''] = await readdir(draft)
    const earlier = (await readdir(folder)).filter((each) => each.endsWith('.tgz'))
    await rename(join(draft, name), file)
    for (const each of earlier) await rm(join(folder, each), { force: true })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

type PackOptions = { readonly file: string; readonly signal: AbortSignal }

function inSdk(path: string): string {
  return `packages/sdk/${path}`
}

/** Returns one hash of all inputs. */
function hashInputs(root: string): string {
  const hash = createHash('sha256')
  for (const path of [...inputFiles, ...inputFolders.flatMap((folder) => listSources(root, folder))]) {
    hash.update(`${path}\n`).update(readFileSync(join(root, path)))
  }
  return hash.digest('hex')
}

function listSources(root: string, path: string): readonly string[] {
  const names = readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(path, name))
    .toSorted()
}

function describe(error: unknown): string {
  const { stderr, message } = error as { readonly stderr?: string; readonly message?: string }
  return stderr?.trim() || message || String(error)
}
