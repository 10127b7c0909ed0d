import { localAccounts } from '../accounts/localAccounts.ts'
import type { LocalChain } from '../LocalChain.ts'
import type { Localnet } from '../startLocalnet.ts'
import { formatTable } from '@agio/server'

/** What a developer needs to know of the local chains: who has money, where they listen, what is deployed. */
export function formatLocalnet({ chains }: Localnet): string {
  const columns = Object.values(chains).map(describeChain)
  const names = [...new Set(columns.flatMap((column) => Object.keys(column)))]
  return [
    formatTable([['Account', 'Private key'], ...localAccounts.map(({ address, privateKey }) => [address, privateKey])]),
    '10,000 native each, on every chain; the first one signs for the stack. Everyone knows these keys.',
    formatTable(names.map((name) => [name, ...columns.map((column) => column[name] ?? '')])),
  ].join('\n\n')
}

function describeChain({ chainId, rpcUrl, deployment, tokens, pools }: LocalChain): Record<string, string> {
  const { router, faucet = 'none' } = deployment
  return { Chain: `${chainId}`, RPC: rpcUrl, ...tokens, ...pools, Router: router, Faucet: faucet }
}
