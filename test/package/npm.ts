import { access, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { run, runOrThrow } from './run.ts'

const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline']

/** Installs packages into a folder: tarballs, which need no registry, or names with versions. */
export async function installPackages(folder: string, packages: readonly string[], isOnline: boolean): Promise<void> {
  // Without retries, npm takes no minutes to find that it cannot look up optional peers.
  const retries = isOnline ? [] : ['--fetch-retries=0']
  await runOrThrow('npm', ['install', ...quiet, ...retries, '--save-exact', ...packages], { cwd: folder })
}

/** Installs a package into its own folder, which later runs use again, and returns the folder of the package. */
export async function installTool(tools: string, { name, version }: Tool): Promise<string> {
  const folder = join(tools, `${name.replaceAll('/', '+')}@${version}`)
  const installed = join(folder, 'node_modules', name)
  if (await exists(installed)) return installed
  await mkdir(tools, { recursive: true })
  const pending = await mkdtemp(join(tools, 'pending-'))
  await installPackages(pending, [`${name}@${version}`], true)
  try {
    await rename(pending, folder)
  } catch {
    // Another test has installed it meanwhile.
    await rm(pending, { recursive: true })
  }
  return installed
}

type Tool = { readonly name: string; readonly version: string }

/** Whether the registry of npm can be reached. @throws `Error` if it cannot, on a CI machine, which has to run all tests */
export async function canReachRegistry(cwd: string): Promise<boolean> {
  const { code, stderr } = await run('npm', ['view', 'typescript', 'version', '--prefer-online', '--fetch-retries=1'], {
    cwd,
  })
  if (code === 0) return true
  const message = `Cannot reach the registry of npm: ${stderr.trim()}`
  if (process.env['CI'] !== undefined) throw new Error(message)
  console.warn(`${message}\nSKIPPED: all tests that install other packages in addition to the tested one`)
  return false
}

/** The version of a package in the catalog of the workspace. */
export async function getCatalogVersion(name: string): Promise<string> {
  const workspace = await readFile(new URL('../../pnpm-workspace.yaml', import.meta.url), 'utf8')
  const line = workspace
    .split('\n')
    .find((text) => [`  ${name}: `, `  '${name}': `].some((start) => text.startsWith(start)))
  const version = line?.split(': ')[1]
  if (version === undefined) throw new Error(`Cannot find the version of ${name}: the catalog has none`)
  return version
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  )
}
