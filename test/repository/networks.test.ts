import { glob, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Network } from '@agio/core'
import { readDeployments } from '../../packages/server/src/service/readDeployments.ts'
import { expect, it } from 'vitest'

const root = new URL('../..', import.meta.url)

it('only the table of networks, the generated types and the local contracts of the SDK name a chain id', async () => {
  const literal = new RegExp(Network.chainIds.map((chainId) => `\\b${toLiteral(chainId)}\\b`).join('|'))
  const sources = await listSources()
  expect(sources).toContain('packages/core/src/network/Network.ts')
  const naming: string[] = []
  for (const path of sources) {
    if (literal.test(withoutComments(await readFile(new URL(path, root), 'utf8')))) naming.push(path)
  }
  expect(naming.toSorted()).toEqual([
    'packages/core/src/network/Network.ts',
    'packages/sdk/src/api/schemas.ts',
    'packages/sdk/src/testing/localChains.ts',
  ])
})

it.each(['compose.yaml', 'docs/operate/deploy.md'])(
  '%s names the RPC_URL of every network, and of no other',
  async (path) => {
    expect(await readNamedChains(path)).toEqual(new Set(Network.chainIds))
  },
)

it('compose.yaml passes the RPC_URL of every network to the service', async () => {
  const compose = await readFile(new URL('compose.yaml', root), 'utf8')
  for (const chainId of Network.chainIds) expect(compose).toContain(`RPC_URL_${chainId}: \${RPC_URL_${chainId}:-}\n`)
})

it('the workflow of CI names the RPC_URL of no network that is not in the table', async () => {
  const named = await readNamedChains('.github/workflows/ci.yml')
  expect(named.difference(new Set(Network.chainIds))).toEqual(new Set())
})

it.each(Network.all)(
  '$name is described as viem describes it',
  async ({ chainId, name, slug, nativeCurrency, blockExplorer }) => {
    const { [slug]: described } = await import('viem/chains')
    const { id, blockExplorers, ...facts } = described
    expect({ chainId, name, nativeCurrency }).toEqual({
      chainId: id,
      name: facts.name,
      nativeCurrency: facts.nativeCurrency,
    })
    expect(blockExplorers.default).toMatchObject(blockExplorer)
  },
)

it('the introduction of the README names every network', async () => {
  const [introduction = ''] = (await readFile(new URL('README.md', root), 'utf8')).split('\n## ')
  const listed = new Intl.ListFormat('en').format(Network.all.map(({ name, chainId }) => `${name} (${chainId})`))
  expect(introduction.replaceAll('\n', ' ')).toContain(listed)
})

it('deployments/examples has a deployment file of every network, with the reference token that docs/operate/real-tokens.md names', async () => {
  const page = await readFile(new URL('docs/operate/real-tokens.md', root), 'utf8')
  const [, ...tokens] = /^\| USDC of Circle \| `(.+)` \| `(.+)` \|$/m.exec(page) ?? []
  const deployments = Object.values(await readDeployments(fileURLToPath(new URL('deployments/examples', root))))
  expect(deployments.map(({ chainId }) => chainId)).toEqual(Network.chainIds)
  expect(deployments.map(({ referenceToken }) => referenceToken)).toEqual(tokens)
})

/** Reads the chain ids of all `RPC_URL_<chainId>` in a file. */
async function readNamedChains(path: string): Promise<ReadonlySet<number>> {
  const text = await readFile(new URL(path, root), 'utf8')
  return new Set(Array.from(text.matchAll(/\bRPC_URL_(\d+)/g), ([, chainId]) => Number(chainId)))
}

/** The pattern of a number with or without separators between its digits. */
function toLiteral(chainId: number): string {
  return String(chainId).split('').join('_?')
}

function withoutComments(source: string): string {
  return source.replace(/\/\*\*.*?\*\//gs, '').replace(/^\s*\/\/.*$/gm, '')
}

async function listSources(): Promise<readonly string[]> {
  const found = glob(['hardhat.config.ts', 'packages/*/{src,scripts}/**/*.ts'], { cwd: fileURLToPath(root) })
  return (await Array.fromAsync(found)).filter((path) => !path.endsWith('.test.ts'))
}
