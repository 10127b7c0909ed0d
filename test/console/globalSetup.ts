import { Network, type Address } from '@agio/core'
import type { TestProject } from 'vitest/node'
import { startLocalProcess, type LocalProcess } from '../harness/startLocalProcess.ts'
import { createRunFolder } from '../harness/createRunFolder.ts'
import { findChromium } from '../harness/findChromium.ts'
import type { ConsoleStack } from './ConsoleStack.ts'

/** Runs one `pnpm start`, as after a clone, for all tests that do not change shared state. It builds the console. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Each file then prints what is not tested.
  if ((await findChromium()) === undefined) return async () => {}
  const runFolder = await createRunFolder(project)
  const local = await startLocalProcess([], { CONSOLE: 'on' })
  project.provide('stack', { url: local.url, chains: await readChains(local) })
  return async () => {
    await local.stop('SIGINT')
    await runFolder[Symbol.asyncDispose]()
  }
}

async function readChains({ url, rpcUrls }: LocalProcess): Promise<ConsoleStack['chains']> {
  const response = await fetch(`${url}/api/v1/chains`, { headers: { 'x-api-key': 'local-key' } })
  const { data } = (await response.json()) as { readonly data: { readonly chains: readonly ListedChain[] } }
  const chains = data.chains.map(({ chainId, router, tokens }) => {
    const rpcUrl = rpcUrls[Network.chainIds.indexOf(chainId)] ?? ''
    return {
      chainId,
      rpcUrl,
      router,
      tokens: Object.fromEntries(tokens.map(({ symbol, address }) => [symbol, address])),
    }
  })
  return Object.fromEntries(chains.map((chain) => [chain.chainId, chain])) as ConsoleStack['chains']
}

type ListedChain = {
  readonly chainId: Network.ChainId
  readonly router: Address
  readonly tokens: readonly { readonly symbol: string; readonly address: Address }[]
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The running `pnpm start`. Undefined without Chromium. */
    stack: ConsoleStack
  }
}
