// Writes src/abi from the compiled contracts, so that the service needs no compiler. Run by `pnpm generate`.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'

const artifacts = new URL('../../../artifacts/contracts/', import.meta.url)
const target = new URL('../src/abi/', import.meta.url)

const abis = {
  poolAbi: 'interfaces/IPool.sol/IPool.json',
  routerAbi: 'interfaces/IRouter.sol/IRouter.json',
  exactOutRouterAbi: 'interfaces/IExactOutRouter.sol/IExactOutRouter.json',
  permitRouterAbi: 'interfaces/IPermitRouter.sol/IPermitRouter.json',
  permit2Abi: 'interfaces/IPermit2.sol/IPermit2.json',
  faucetAbi: 'interfaces/IFaucet.sol/IFaucet.json',
  rateReaderAbi: 'interfaces/IRateReader.sol/IRateReader.json',
  tokenAbi: 'testing/TestToken.sol/TestToken.json',
  readerAbi: 'Reader.sol/Reader.json',
  routeReaderAbi: 'RouteReader.sol/RouteReader.json',
  gasMeterAbi: 'GasMeter.sol/GasMeter.json',
} as const

// Code that is placed by state override and never deployed.
const codes = {
  readerCode: abis.readerAbi,
  routeReaderCode: abis.routeReaderAbi,
  gasMeterCode: abis.gasMeterAbi,
} as const

await rm(target, { recursive: true, force: true })
await mkdir(target, { recursive: true })
for (const [name, path] of Object.entries(abis)) {
  await write(name, `${JSON.stringify((await readArtifact(path)).abi)} as const`)
}
for (const [name, path] of Object.entries(codes)) {
  await write(name, `'${(await readArtifact(path)).deployedBytecode}'`)
}
const exports = [...Object.keys(abis), ...Object.keys(codes)].map((name) => `export { ${name} } from './${name}.ts'\n`)
await writeFile(new URL('index.ts', target), `${header()}${exports.join('')}`)

async function readArtifact(path: string): Promise<{ abi: unknown; deployedBytecode: string }> {
  return JSON.parse(await readFile(new URL(path, artifacts), 'utf8')) as { abi: unknown; deployedBytecode: string }
}

async function write(name: string, value: string): Promise<void> {
  await writeFile(new URL(`${name}.ts`, target), `${header()}export const ${name} = ${value}\n`)
}

function header(): string {
  return '// Generated from contracts/ by `pnpm generate`. Do not edit.\n'
}
