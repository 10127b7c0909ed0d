import { formatTable } from '@agio/server/cli'
import { localAccounts } from '../accounts/localAccounts.ts'
import type { LocalChain } from '../chain/LocalChain.ts'
import type { Localnet } from '../localnet/startLocalnet.ts'
import { localServiceDefaults, sdkPath } from '../service/localServiceDefaults.ts'

/** Formats the accounts, the URLs and the contracts of the local chains. */
export function formatLocalnet({ chains }: Localnet): string {
  const columns = Object.values(chains).map(describeChain)
  const names = [...new Set(columns.flatMap((column) => Object.keys(column)))]
  return [
    formatTable([['Account', 'Private key'], ...localAccounts.map(({ address, privateKey }) => [address, privateKey])]),
    'Each account holds 10,000 native tokens on every chain. The first account owns the contracts. These private keys are public.',
    formatTable(names.map((name) => [name, ...columns.map((column) => column[name] ?? '')])),
  ].join('\n\n')
}

/** Formats the URLs and the keys of the service on the local chains. */
export function formatService(url: string, { hasConsole }: { readonly hasConsole: boolean }): string {
  const { presetKeys, adminKey } = localServiceDefaults
  return formatTable([
    ...(hasConsole ? [['Console', `${url}/console`]] : []),
    ['REST', `${url}/api/v1`],
    ['tRPC', `${url}/trpc`],
    ['Docs', `${url}/docs`],
    ['Reference', `${url}/docs/api`],
    ['SDK', `npm install ${url}${sdkPath}`],
    ['Scenarios', `${url}/local/scenarios`],
    ...presetKeys.map(({ secret, tier }) => ['X-API-Key', `${secret} (tier ${tier})`]),
    ['X-Admin-Key', adminKey],
  ])
}

function describeChain({ chainId, rpcUrl, deployment, tokens, pools }: LocalChain): Record<string, string> {
  const { router, faucet = 'none' } = deployment
  return { Chain: `${chainId}`, RPC: rpcUrl, ...tokens, ...pools, Router: router, Faucet: faucet }
}
