// Compiles Permit2 anew from the packages of npm, and compares it with contracts/testing/permit2. Run by hand.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { promisify } from 'node:util'
import { readPermit2 } from '../src/deployment/placeCommonContracts.ts'

const packages = ['@uniswap/v4-periphery@1.0.3', 'solc@0.8.17']

const dir = await mkdtemp(join(tmpdir(), 'permit2-'))
try {
  const run = promisify(execFile)
  await run('npm', ['install', '--ignore-scripts', '--no-save', '--legacy-peer-deps', '--prefix', dir, ...packages])
  const compiled = await compile(join(dir, 'node_modules/@uniswap/v4-periphery/lib/permit2'))
  const isEqual = compiled === (await readPermit2()).code
  console.log(isEqual ? 'contracts/testing/permit2/creation.hex is the code of its sources' : `Compiled: ${compiled}`)
  process.exitCode = isEqual ? 0 : 1
} finally {
  await rm(dir, { recursive: true })
}

async function compile(root: string): Promise<string> {
  const entry = 'src/Permit2.sol'
  const sources: Record<string, { content: string }> = {}
  await addSource(root, entry, sources)
  const settings = {
    viaIR: true,
    optimizer: { enabled: true, runs: 1_000_000 },
    evmVersion: 'london',
    metadata: { bytecodeHash: 'none' },
    outputSelection: { [entry]: { Permit2: ['evm.bytecode.object'] } },
  }
  const { compile: compileJson } = createRequire(join(dir, 'index.js'))('solc') as Compiler
  const output = JSON.parse(compileJson(JSON.stringify({ language: 'Solidity', sources, settings }))) as Output
  return `0x${output.contracts[entry]?.['Permit2']?.evm.bytecode.object}`
}

type Compiler = { compile(input: string): string }

type Output = {
  readonly contracts: Readonly<Record<string, Record<string, { evm: { bytecode: { object: string } } }>>>
}

/** Adds a source and its imports, by their paths in the package. Paths of solmate are remapped. */
async function addSource(root: string, name: string, sources: Record<string, { content: string }>): Promise<void> {
  if (sources[name]) return
  const path = name.startsWith('solmate/') ? join('lib', name) : name
  const content = await readFile(join(root, path), 'utf8')
  sources[name] = { content }
  for (const [, imported = ''] of content.matchAll(/import\s+(?:[^"']*from\s+)?["']([^"']+)["']/g)) {
    const isRelative = imported.startsWith('.')
    await addSource(root, isRelative ? posix.join(posix.dirname(name), imported) : imported, sources)
  }
}
