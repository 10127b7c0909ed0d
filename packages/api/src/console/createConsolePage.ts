import { randomBytes } from 'node:crypto'
import { Network } from '@agio/core'
import { toRoot } from '../http/toRoot.ts'
import { version } from '../health/toHealth.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import type { ConsoleLocalStack, ConsoleSource } from '../settings/ConsoleSource.ts'

/**
 * Creates the responses with the page of the console. Each response has its own nonce, in the policy and the tags of
 * the page. It also contains the settings of the page, so that the page need not request them. Its URLs are relative to the
 * requested path, because a proxy may serve the service below a path prefix.
 */
export function createConsolePage(
  settings: createConsolePage.Dependencies,
): (template: string, path: string) => Response {
  const content = escapeScript(JSON.stringify(toPageSettings(settings)))
  const nodes = Object.values(settings.console.local?.rpcUrls ?? {}).map((url) => new URL(url).origin)
  return (template, path) => {
    const nonce = randomBytes(16).toString('base64url')
    const values: Readonly<Record<string, string>> = {
      __CONSOLE_SETTINGS__: content,
      __CONSOLE_NONCE__: nonce,
      __CONSOLE_ROOT__: toRoot(path),
    }
    const html = template.replaceAll(/__CONSOLE_(?:SETTINGS|NONCE|ROOT)__/g, (name) => values[name] ?? name)
    return new Response(html, {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        // The nonce is for one response, and the assets belong to this build.
        'cache-control': 'no-store',
        'content-security-policy': toPolicy(nonce, nodes),
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
      },
    })
  }
}

export declare namespace createConsolePage {
  type Dependencies = Pick<AppSettings, 'chains'> & { readonly console: Pick<ConsoleSource, 'local'> }
}

/** The settings that the page reads from its document. */
type PageSettings = {
  readonly version: string
  /** The networks that the service serves. */
  readonly networks: readonly Pick<
    ReturnType<typeof Network.get>,
    'chainId' | 'name' | 'nativeCurrency' | 'blockExplorer'
  >[]
  readonly local?: ConsoleLocalStack
}

function toPageSettings({ chains, console: { local } }: createConsolePage.Dependencies): PageSettings {
  const served = Network.chainIds.flatMap((chainId) => chains[chainId] ?? [])
  const networks = served.map(({ chainId, name, deployment }) => {
    const { nativeCurrency, blockExplorer } = Network.get(chainId)
    return { chainId, name, nativeCurrency, blockExplorer: deployment.local === true ? null : blockExplorer }
  })
  return { version, networks, ...(local && { local }) }
}

/** Returns JSON of a value that cannot end a script element. */
function escapeScript(json: string): string {
  return json.replaceAll('<', String.raw`\u003c`)
}

/** Returns the policy of a page. The page may load its own files, and call its service and these nodes. */
function toPolicy(nonce: string, nodes: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...nodes].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
