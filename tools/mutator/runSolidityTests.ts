import { fileURLToPath } from 'node:url'
import {
  EdrContext,
  FsAccessPermission,
  L1_CHAIN_TYPE,
  L1Hardfork,
  l1HardforkToString,
  l1SolidityTestRunnerFactory,
  TestStatus,
  type Artifact,
  type SolidityTestRunnerConfigArgs,
  type SuiteResult,
  type TestResult,
} from '@nomicfoundation/edr'
import config from '../../hardhat.config.ts'
import type { SolcContract } from '../prover/compile.ts'

/** The compiled contracts of a file of tests. */
export type TestFile = { readonly file: string; readonly contracts: Readonly<Record<string, SolcContract>> }

/** A test of a file, with the runner's result. */
type Ran = { readonly name: string; readonly result: TestResult }

/**
 * The most gas of one call of a test. An endless loop ends within seconds by it, and no test uses a tenth of it.
 */
const gasLimit = 500_000_000n

let context: Promise<EdrContext> | undefined

/** Runs the tests of a file by the test runner of Hardhat, with the settings of hardhat.config.ts. */
export async function runSolidityTests(
  { file, contracts }: TestFile,
  { seed, ...options }: Options,
): Promise<readonly Ran[]> {
  const { fuzz, invariant, readable } = getSettings()
  const artifacts = Object.entries(contracts).map(([name, contract]) => toArtifact(file, name, contract))
  const suites = artifacts.filter((_, index) => isSuite(Object.values(contracts)[index]!)).map(({ id }) => id)
  if (suites.length === 0) return []
  const args: SolidityTestRunnerConfigArgs = {
    projectRoot: fileURLToPath(root),
    hardfork: l1HardforkToString(L1Hardfork.Osaka),
    gasLimit,
    disableBlockGasLimit: true,
    disableTransactionGasCap: true,
    fsPermissions: readable.map((path) => ({
      access: FsAccessPermission.ReadFile,
      path: fileURLToPath(new URL(path, root)),
    })),
    fuzz: { ...fuzz, seed: `0x${seed.toString(16)}` },
    // A failure needs no short example.
    invariant: { ...invariant, shrinkRunLimit: 0, ...options.invariant },
    ...(options.only === 'properties' && { testPattern: `^(${properties})` }),
    excludeTestPattern: `^(${options.only === 'examples' ? `${properties}|` : ''}${ofCodeSize})`,
  }
  const results: SuiteResult[] = []
  const runner = await (context ??= createContext())
  await new Promise<void>((resolve, reject) => {
    const add = (result: SuiteResult) => {
      results.push(result)
      if (results.length === suites.length) resolve()
    }
    runner.runSolidityTests(L1_CHAIN_TYPE, artifacts, suites, args, {}, add).catch(reject)
  })
  return results.flatMap(({ id, testResults }) =>
    testResults.map((result) => ({ name: `${file}: ${id.name}.${result.name}`, result })),
  )
}

/** Returns the first test of a file that fails, or undefined. */
export async function findFailure(tests: TestFile, options: Options): Promise<string | undefined> {
  const ran = await runSolidityTests(tests, options)
  return ran.find(({ result }) => result.status === TestStatus.Failure)?.name
}

type Options = {
  readonly seed: number
  /** Only tests with random calls or inputs, or only the others. */
  readonly only?: 'properties' | 'examples'
  readonly invariant?: { readonly runs: number; readonly depth: number }
}

const root = new URL('../../', import.meta.url)
const properties = 'testFuzz|invariant'
// The code of the quick compilation is larger.
const ofCodeSize = 'test_the_code_fits'

function getSettings() {
  const settings = config.test?.solidity
  if (!settings || 'profiles' in settings) throw new Error('hardhat.config.ts has no settings of Solidity tests')
  const { fuzz = {}, invariant = {}, fsPermissions } = settings
  return { fuzz: toArgs(fuzz), invariant: toArgs(invariant), readable: fsPermissions?.readFile ?? [] }
}

/** Returns settings without their time limit, of which the runner has no `bigint`. */
function toArgs<Settings extends { timeout?: unknown }>({ timeout: _, ...args }: Settings): Omit<Settings, 'timeout'> {
  return args
}

async function createContext(): Promise<EdrContext> {
  const created = new EdrContext()
  await created.registerSolidityTestRunnerFactory(L1_CHAIN_TYPE, l1SolidityTestRunnerFactory())
  return created
}

function toArtifact(source: string, name: string, { abi, evm }: SolcContract): Artifact {
  return {
    id: { name, source, solcVersion: '0.8.37' },
    contract: {
      abi: JSON.stringify(abi),
      bytecode: `0x${evm.bytecode.object}`,
      deployedBytecode: `0x${evm.deployedBytecode.object}`,
    },
  }
}

function isSuite({ abi, evm }: SolcContract): boolean {
  return evm.bytecode.object !== '' && abi.some(({ name = '' }) => /^(test|invariant)/.test(name))
}
