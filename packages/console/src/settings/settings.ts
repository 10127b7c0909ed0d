/**
 * The settings from the service. They are part of the document, so that the page needs no request for them. They
 * contain no secrets: the keys in `local` are the same on every local stack.
 */
export type ConsoleSettings = {
  readonly version: string
  /** The networks that the service serves. */
  readonly networks: readonly Network[]
  /** The well-known keys and nodes of a local stack. Absent for other services. */
  readonly local?: LocalStack
}

/** A network that the service serves. */
export type Network = {
  readonly chainId: number
  readonly name: string
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  readonly blockExplorer: { readonly name: string; readonly url: string } | null
}

/** A local stack with a key for the service and nodes for the test wallet. */
export type LocalStack = {
  readonly apiKey: string
  /** A second key with the limits of the tier `standard`. */
  readonly standardKey?: string
  readonly adminKey: string
  /** The URL of each node, by chain id. */
  readonly rpcUrls: Readonly<Record<string, string>>
  /** The path of the tarball of `@agio/sdk`, if the service serves it. */
  readonly sdkPath?: string
}

/** The settings of this page. */
export const settings = readSettings()

/** The path prefix below which a proxy serves the service, such as `/fx`, or an empty text. */
export const servicePath = new URL(document.documentElement.dataset['root'] ?? '/', location.href).pathname.slice(0, -1)

/** The URL of the service, without a slash at its end. */
export const serviceUrl = `${location.origin}${servicePath}`

/** Returns the command that installs the SDK from this service, or undefined if the service does not serve it. */
export function findInstallCommand(): string | undefined {
  const path = settings.local?.sdkPath
  return path === undefined ? undefined : `npm install ${serviceUrl}${path}`
}

function readSettings(): ConsoleSettings {
  const text = document.querySelector('#settings')?.textContent ?? ''
  return JSON.parse(text) as ConsoleSettings
}
