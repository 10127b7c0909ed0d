import config from '../../hardhat.config.ts'
import { compile, type SolcContract } from '../prover/compile.ts'

/** Sources that differ from the project, by their path. */
export type Changed = ReadonlyMap<string, string>

/** The contracts of a file, without metadata, and the paths of all files that it imports. */
export type CompiledFile = {
  readonly contracts: Readonly<Record<string, SolcContract>>
  readonly imports: ReadonlySet<string>
}

/** Compiles the contracts of a file. @throws SolcError if it does not compile */
export function compileFile(file: string, { optimizer, changed }: Options): CompiledFile {
  const settings = {
    ...getSettings(),
    ...(optimizer === 'quick' && { optimizer: quickOptimizer }),
    metadata: { bytecodeHash: 'none', appendCBOR: false },
    outputSelection: { [file]: { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
  }
  const { output, sources } = compile([file], settings, changed)
  return { contracts: output.contracts![file]!, imports: new Set(sources.keys()) }
}

type Options = {
  /** The optimiser of deployed contracts, or one that takes a third of the time. */
  readonly optimizer: 'deployed' | 'quick'
  readonly changed?: Changed | undefined
}

// The fewest steps with which all tests compile.
const quickOptimizer = {
  enabled: true,
  details: {
    deduplicate: false,
    cse: false,
    constantOptimizer: false,
    yul: true,
    yulDetails: { stackAllocation: true, optimizerSteps: ':' },
  },
}

function getSettings(): object {
  const { solidity } = config
  if (typeof solidity !== 'object' || !('settings' in solidity)) throw new Error('hardhat.config.ts has no settings')
  return solidity.settings
}
