import type { ConfigurationVariable, HardhatUserConfig } from 'hardhat/types/config'

/** Checks the environment before anything is done. @throws `Error` that names every variable that is missing */
export function assertVariablesSet({ networks }: HardhatUserConfig, network: string): void {
  const config = networks?.[network]
  if (config?.type !== 'http') return
  const accounts = Array.isArray(config.accounts) ? config.accounts : []
  const missing = [config.url, ...accounts].filter(isVariable).filter(({ name }) => !process.env[name])
  if (missing.length === 0) return
  const names = missing.map(({ name }) => name).join(' and ')
  throw new Error(`Cannot deploy to '${network}': set ${names} in the environment`)
}

function isVariable(value: string | ConfigurationVariable): value is ConfigurationVariable {
  return typeof value !== 'string'
}
