import { Network } from '@agio/core'
import { parseSettings, type SettingsOf } from '@agio/server/cli'
import { isStackName, listLocalStacks, registerLocalStack } from '@agio/server/stacks'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { checkout } from '../assets/assets.ts'
import { buildConsole } from '../console/buildConsole.ts'
import type { Localnet } from '../localnet/startLocalnet.ts'
import type { Scenarios } from '../scenarios/createScenarios.ts'
import { runScenarioFile, toScenarioTarget } from '../scenarios/runScenarioFile.ts'
import { readScenarioFile, type ScenarioFile } from '../scenarios/ScenarioFile.ts'
import { createDownloads } from '../downloads/createDownloads.ts'
import { localServiceDefaults } from '../service/localServiceDefaults.ts'
import { devSettings, parseForks } from './devSettings.ts'
import { describeLocalnet, describeService, formatLocalnet, formatService } from './formatLocalnet.ts'
import { runUntilStopped, type Running, type Started } from './runUntilStopped.ts'

// A fork may first need to fetch the pools from its origin node.
const startTimeoutMs = 30_000

/**
 * Runs the local chains, and the service on them unless `service` is false, until a signal stops this process. Prints
 * `ready` when the stack is ready, or with `json` one line with its URLs, keys and contracts.
 */
export async function runDev(options: runDev.Options): Promise<void> {
  await runUntilStopped({ json: options.json === true }, async (running) => {
    const { name } = options
    if (name !== undefined && !isStackName(name)) {
      throw new Error(`Cannot start: --name takes up to 40 letters, digits, - and _, not '${name}'`)
    }
    const settings = parseSettings(devSettings, { ...process.env, ...toVariables(options) }).values
    const forks = parseForks(options.fork ?? [])
    const scenario = options.scenario === undefined ? undefined : await readScenario(options)
    const { startLocalnet } = await import('../localnet/startLocalnet.ts')
    // An installed package has no checkout, and its data is temporary.
    const folder = name !== undefined || (await isCheckoutInUse()) ? undefined : checkout
    const deploymentsDir = folder === undefined ? await createTemporaryFolder(running) : undefined
    const start = async () =>
      running.parts.use(
        await startLocalnet({ rpcPort: settings.rpcPort, forks, deploymentsDir, onProgress: running.report }),
      )
    if (options.service !== false) return await startService(settings, { name, folder, start, scenario, running })
    const localnet = await start()
    const registeredName = await register({ name, checkout: folder, ...describeChains(localnet) }, running)
    return {
      summary: `${formatLocalnet(localnet)}\n\nName: ${registeredName}\nDeployment files: ${localnet.deploymentsDir}`,
      fields: { name: registeredName, ...describeLocalnet(localnet) },
    }
  })
}

export declare namespace runDev {
  type Options = {
    /** The name by which other commands find the stack. Default: `default`, or `default-2` and so on. */
    readonly name?: string | undefined
    /** Overrides `PORT`. */
    readonly port?: string | undefined
    /** Overrides `RPC_PORT`. */
    readonly rpcPort?: string | undefined
    /** Chains to fork, as `<chain>=<http URL>`. */
    readonly fork?: readonly string[] | undefined
    /** Whether the service runs beside the chains. Default: true. */
    readonly service?: boolean | undefined
    /** A scenario file, whose steps run once the stack is ready. */
    readonly scenario?: string | undefined
    /** Whether to print events as JSON, one a line. */
    readonly json?: boolean | undefined
  }
}

type StackParts = {
  readonly name: string | undefined
  /** The checkout whose folder `.local` has the data; undefined if the data is temporary. */
  readonly folder: string | undefined
  readonly start: () => Promise<Localnet>
  readonly scenario: ScenarioFile | undefined
  readonly running: Running
}

async function startService(
  { console: consoleSwitch, host, port, logLevel, finalityBlocks }: SettingsOf<typeof devSettings>,
  { name, folder, start, scenario, running }: StackParts,
): Promise<Started> {
  const { assets, formatReadiness, isConsoleBuilt, DataDirInUseError, waitUntilHealthy } = await import('@agio/server')
  const { startLocalService } = await import('../service/startLocalService.ts')
  const { parts, report } = running
  const consoleDir = consoleSwitch === 'on' ? assets.console : undefined
  const dataDir = folder && join(folder, '.local/data')
  const settings = { host, port, logLevel, finalityBlocks, dataDir, consoleDir }
  const build = consoleDir === undefined ? undefined : parts.use(buildConsole({ onProgress: report }))
  const localnet = await start()
  report('Starting the service')
  const { files: downloads } = parts.use(createDownloads({ onProgress: report }))
  const { url, readHealth, findRefusal, scenarios } = parts.use(
    await startLocalService(localnet, settings, { downloads, hasNewChains: true }).catch((error: unknown) => {
      if (!(error instanceof DataDirInUseError)) throw error
      report('Another process uses the database in .local/data: this stack has a temporary database')
      return startLocalService(localnet, { ...settings, dataDir: undefined }, { downloads })
    }),
  )
  const [{ secret: apiKey }] = localServiceDefaults.presetKeys
  const service = { url, apiKey, adminKey: localServiceDefaults.adminKey }
  const registeredName = await register({ name, checkout: folder, ...describeChains(localnet), service }, running)
  const health = await waitUntilHealthy(readHealth, { timeoutMs: startTimeoutMs, findRefusal })
  await build?.ended
  const hasConsole = consoleDir !== undefined && isConsoleBuilt(consoleDir)
  return {
    summary: `${formatService(url, { hasConsole, name: registeredName })}\n\n${formatLocalnet(localnet)}`,
    readiness: formatReadiness(health),
    ...(scenario && { work: (signal) => playScenario(scenario, { scenarios, signal, report }) }),
    fields: { name: registeredName, ...describeService(url, { hasConsole }), ...describeLocalnet(localnet) },
  }
}

/** Registers the stack, and returns its name. A stack whose file cannot be written runs, but other commands do not find it. */
async function register(stack: registerLocalStack.Stack, { parts, report }: Running): Promise<string> {
  try {
    return parts.use(await registerLocalStack(stack)).name
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    const { message } = error as Error
    report(
      `Other commands cannot find this stack (${message}). Set XDG_STATE_HOME to a folder that this user can write`,
    )
    return stack.name ?? 'default'
  }
}

/** Reads the scenario file before anything starts. @throws `Error` if it cannot be read, or without a service */
async function readScenario({ scenario = '', service }: runDev.Options): Promise<ScenarioFile> {
  if (service === false) throw new Error('Cannot start: --scenario needs the service. Leave --no-service out')
  // The run checks its steps.
  return (await readScenarioFile(scenario)) as ScenarioFile
}

type Playing = {
  readonly scenarios: Scenarios
  readonly signal: AbortSignal
  readonly report: (message: string) => void
}

async function playScenario(file: ScenarioFile, { scenarios, signal, report }: Playing): Promise<void> {
  const onStep = ({ name }: { readonly name: string }) => report(`Scenario: ${name}`)
  await runScenarioFile(file, toScenarioTarget(scenarios), { signal, onStep })
  if (!signal.aborted) report('Scenario: the last step has run')
}

/** Returns the options of the command line as the variables that they override. A stack with a name takes free ports. */
function toVariables({ name, port, rpcPort }: runDev.Options): Readonly<Record<string, string>> {
  const { PORT, RPC_PORT } = process.env
  const free = name === undefined || name === 'default' ? '' : '0'
  return { PORT: port ?? (PORT || free), RPC_PORT: rpcPort ?? (RPC_PORT || free) }
}

/** Returns whether a running stack uses the folder `.local` of this checkout. */
async function isCheckoutInUse(): Promise<boolean> {
  return (await listLocalStacks()).some((stack) => stack.checkout === checkout)
}

/** Returns what other commands need of the chains. */
function describeChains({ chains }: Localnet) {
  return {
    rpcUrls: Network.map((chainId) => chains[chainId].rpcUrl),
    contracts: Network.map((chainId) => {
      const { router, factory, pools } = chains[chainId].deployment
      return { router, factory, pools }
    }),
  }
}

async function createTemporaryFolder({ parts }: Running): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'agio-localnet-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}
