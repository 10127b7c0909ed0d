import { Network } from '@agio/core'
import { localAccounts } from '../accounts/localAccounts.ts'
import type { LocalChain } from '../chain/LocalChain.ts'
import type { Localnet } from '../localnet/startLocalnet.ts'
import { localServiceDefaults, sdkPath } from '../service/localServiceDefaults.ts'
import { formatTable } from './formatTable.ts'

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
export function formatService(url: string, { hasConsole, name }: ServiceOptions & { readonly name: string }): string {
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
    ['Name', name],
  ])
}

type ServiceOptions = { readonly hasConsole: boolean }

/** Returns the URLs and the keys of the service as plain data. */
export function describeService(url: string, { hasConsole }: ServiceOptions) {
  const [{ secret: api }, { secret: standard }] = localServiceDefaults.presetKeys
  const keys = { api, standard, admin: localServiceDefaults.adminKey }
  return { url, keys, ...(hasConsole && { console: `${url}/console` }) }
}

/** Returns the nodes, the contracts and the accounts of the local chains as plain data, by chain id. */
export function describeLocalnet({ chains }: Localnet) {
  const pick = <Name extends keyof LocalChain>(name: Name) => Network.map((chainId) => chains[chainId][name])
  const contracts = Network.map((chainId) => chains[chainId].deployment)
  return { rpcUrls: pick('rpcUrl'), tokens: pick('tokens'), pools: pick('pools'), contracts, accounts: localAccounts }
}

function describeChain({ chainId, rpcUrl, deployment, tokens, pools }: LocalChain): Record<string, string> {
  const { router, faucet = 'none' } = deployment
  return { Chain: `${chainId}`, RPC: rpcUrl, ...tokens, ...pools, Router: router, Faucet: faucet }
}
