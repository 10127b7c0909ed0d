import { Network } from '@agio/core'
import { listDefaults, listVariables, parseSettings } from './defineSettings.ts'
import { serviceSettings } from './serviceSettings.ts'
import type { Settings } from './Settings.ts'

/** Names of the variables that the settings are read from. */
export const settingNames = listVariables(serviceSettings)

/** The default settings of a service, without its nodes and its console. */
export const defaultSettings = withoutNodes(listDefaults(serviceSettings))

/**
 * Parses the settings of a service from the environment.
 *
 * @throws `Error` that names each bad variable and never quotes a value
 */
export function parseServiceSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const { values, files } = parseSettings(serviceSettings, environment)
  const { workers, databaseUrl, redisUrl } = values
  if (workers > 1 && (databaseUrl === undefined || redisUrl === undefined)) {
    throw new Error(
      `Cannot start: WORKERS=${workers} needs DATABASE_URL and REDIS_URL. Processes cannot share the embedded database or limits in memory`,
    )
  }
  return {
    ...withoutNodes(values),
    rpcUrls: Network.map((chainId) => values[`rpcUrl${chainId}`]),
    consoleDir: values.console === 'on' ? values.consoleDir : undefined,
    secretFiles: files.length === 0 ? undefined : files,
  }
}

/** Removes the settings that `Settings` has in another form. */
function withoutNodes<Values extends Readonly<Record<string, unknown>>>(values: Values) {
  const entries = Object.entries(values).filter(([name]) => !/^(rpcUrl\d+|console|consoleDir)$/.test(name))
  return Object.fromEntries(entries) as Omit<Values, `rpcUrl${number}` | 'console' | 'consoleDir'>
}
