import { glob, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { chainIds } from '@agio/core'
import { expect, it } from 'vitest'

const root = new URL('..', import.meta.url)

it('only the table of networks, and the default beside it, name a chain id', async () => {
  const literal = new RegExp(chainIds.map((chainId) => `\\b${toLiteral(chainId)}\\b`).join('|'))
  const sources = await listSources()
  expect(sources).toContain('packages/core/src/networks.ts')
  const naming: string[] = []
  for (const path of sources) {
    if (literal.test(withoutComments(await readFile(new URL(path, root), 'utf8')))) naming.push(path)
  }
  expect(naming).toEqual(['packages/core/src/networks.ts'])
})

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
