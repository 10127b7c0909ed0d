/**
 * The settings from the service. They are part of the document, so that the page needs no request for them. They
 * contain no secrets: the keys in `local` are the same on every local stack.
 */
type ConsoleSettings = {
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

/** The settings of a page, and where the service is. */
export type Settings = ConsoleSettings & {
  /** The path prefix below which a proxy serves the service, such as `/fx`, or an empty text. */
  readonly servicePath: string
  /** The URL of the service, without a slash at its end. */
  readonly serviceUrl: string
}

/** Returns the command that installs the SDK from this service, or undefined if the service does not serve it. */
export function findInstallCommand({ local, serviceUrl }: Settings): string | undefined {
  return local?.sdkPath === undefined ? undefined : `npm install ${serviceUrl}${local.sdkPath}`
}

/** Reads the settings of a page from its document. */
export function readSettings({ document, location }: Pick<Window, 'document' | 'location'>): Settings {
  const text = document.querySelector('#settings')?.textContent ?? ''
  const root = document.documentElement.dataset['root'] ?? '/'
  const servicePath = new URL(root, location.href).pathname.slice(0, -1)
  return { ...(JSON.parse(text) as ConsoleSettings), servicePath, serviceUrl: `${location.origin}${servicePath}` }
}
