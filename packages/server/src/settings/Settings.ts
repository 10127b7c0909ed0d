import type { Network, Tier } from '@agio/core'
import type { SettingsOf } from './defineSettings.ts'
import type { serviceSettings } from './serviceSettings.ts'

type Values = SettingsOf<typeof serviceSettings>

/** The settings of a service: the table `serviceSettings`, and settings that only code can set. */
export type Settings = Omit<
  Values,
  `rpcUrl${Network.ChainId}` | 'console' | 'consoleDir' | 'corsOrigins' | 'logLevel'
> & {
  /** URLs of the nodes of each chain, in order of preference. */
  readonly rpcUrls: Readonly<Record<Network.ChainId, readonly string[]>>
  /** Folder of the built console, served at `/console`. Without a folder, these paths are 404. */
  readonly consoleDir?: string | undefined
  /** Origins whose pages may call the service. `localhost` allows every origin on this machine. */
  readonly corsOrigins: readonly string[] | 'localhost'
  /** The hosts that requests may name. `localhost` allows the names of this machine and `host`. Default: any host. */
  readonly allowedHosts?: 'localhost' | undefined
  readonly logLevel: string
  /** Files that secrets were read from. */
  readonly secretFiles?: readonly string[] | undefined
  /** Keys with publicly known secrets, for the local stack. */
  readonly presetKeys?: readonly PresetKey[] | undefined
}

type PresetKey = { readonly id: string; readonly secret: string; readonly tier: Tier.Tier }
