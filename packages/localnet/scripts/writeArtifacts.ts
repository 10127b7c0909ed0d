// Writes src/contracts/artifacts.json from the compiled contracts, so that a local stack needs no compiler. Run by `pnpm generate`.
import { readFile, writeFile } from 'node:fs/promises'

const compiled = new URL('../../../artifacts/contracts/', import.meta.url)
const target = new URL('../src/contracts/artifacts.json', import.meta.url)

const contracts = [
  'Factory',
  'Faucet',
  'Pool',
  'RateReader',
  'Reader',
  'Router',
  'testing/PlainToken',
  'testing/ResetToken',
  'testing/TestOracle',
  'testing/TestToken',
] as const

const artifacts = [...(await Promise.all(contracts.map(readArtifact))), await readMulticall3()]
// A line for each contract, so that a change shows which contracts it concerns.
const entries = artifacts.map(({ name, ...artifact }) => `  "${name}": ${JSON.stringify(artifact)}`)
await writeFile(target, `{\n${entries.join(',\n')}\n}\n`)

/** Reads the name, the constructor and the creation code of a contract. */
async function readArtifact(path: string): Promise<Artifact> {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const text = await readFile(new URL(`${path}.sol/${name}.json`, compiled), 'utf8')
  const { abi, bytecode } = JSON.parse(text) as Artifact
  return { name, abi: abi.filter(({ type }) => type === 'constructor'), bytecode }
}

/** Reads the code of Multicall3 from viem, which does not export it. Its optimizer settings differ from the deployed code. */
async function readMulticall3(): Promise<Artifact> {
  const path = new URL('constants/contracts.js', import.meta.resolve('viem'))
  const { multicall3Bytecode } = (await import(path.href)) as { readonly multicall3Bytecode: string }
  return { name: 'Multicall3', abi: [], bytecode: multicall3Bytecode }
}

type Artifact = {
  readonly name: string
  readonly abi: readonly { readonly type: string }[]
  readonly bytecode: string
}
