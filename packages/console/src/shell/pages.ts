import type { OwnApiKey } from '@agio/sdk'
import { type ComponentType, lazy } from 'react'
import { ConvertPage } from '../convert/ConvertPage.tsx'

const receipt = once(async () => (await import('../receipt/ReceiptPage.tsx')).ReceiptPage)
const pools = once(async () => (await import('../pools/PoolsPage.tsx')).PoolsPage)
const key = once(async () => (await import('../build/KeyPages.tsx')).KeyPage)
const requests = once(async () => (await import('../build/KeyPages.tsx')).RequestsPage)
const webhooks = once(async () => (await import('../build/WebhooksPage.tsx')).WebhooksPage)
const calls = once(async () => (await import('../build/CallsPage.tsx')).CallsPage)
const faults = once(async () => (await import('../build/FaultsPage.tsx')).FaultsPage)
const keys = once(async () => (await import('../operate/KeysPage.tsx')).KeysPage)
const allRequests = once(async () => (await import('../operate/LogPages.tsx')).KeyRequestsPage)
const audit = once(async () => (await import('../operate/LogPages.tsx')).AuditPage)
const quotes = once(async () => (await import('../operate/QuotesPage.tsx')).QuotesPage)
const health = once(async () => (await import('../operate/HealthPage.tsx')).HealthPage)

/** A page of the console. */
export type ConsolePage = {
  readonly path: string
  /** The pattern of its paths, if it has more than one. */
  readonly pattern?: string
  readonly title: string
  readonly Page: ComponentType
  /** The scope without which a key cannot use the page. */
  readonly scope?: OwnApiKey['scopes'][number]
}

/** A group of pages, with its own place in the header. */
export type Area = { readonly title: string; readonly path: string; readonly pages: readonly ConsolePage[] }

/** The areas of the header, each with its pages in order. All pages except the first are loaded on demand. */
export const areas: readonly Area[] = [
  {
    title: 'Convert',
    path: '/',
    pages: [
      { path: '/', title: 'Convert', Page: ConvertPage },
      { path: '/receipt', pattern: '/receipt/:transactionHash?', title: 'Activity', Page: toPage(receipt) },
      { path: '/pools', title: 'Pools', Page: toPage(pools) },
    ],
  },
  {
    title: 'Build',
    path: '/build',
    pages: [
      { path: '/build/requests', title: 'Requests', Page: toPage(requests), scope: 'usage' },
      { path: '/build/key', title: 'Your key', Page: toPage(key) },
      { path: '/build/webhooks', title: 'Webhooks', Page: toPage(webhooks), scope: 'webhooks' },
      { path: '/build/calls', title: 'API calls', Page: toPage(calls) },
      { path: '/build/faults', title: 'Faults and time', Page: toPage(faults) },
    ],
  },
  {
    title: 'Operate',
    path: '/operate',
    pages: [
      { path: '/operate/keys', title: 'API keys', Page: toPage(keys) },
      { path: '/operate/requests', title: 'Requests', Page: toPage(allRequests) },
      { path: '/operate/audit', title: 'Audit', Page: toPage(audit) },
      { path: '/operate/quotes', title: 'Quotes', Page: toPage(quotes) },
      { path: '/operate/health', title: 'Health', Page: toPage(health) },
    ],
  },
]

/** Paths of earlier versions and of areas, each with the path of its page. */
export const redirects = {
  '/developers': '/build/calls',
  '/usage': '/build/key',
  '/build': '/build/requests',
  '/operate': '/operate/keys',
} as const

/** Returns the area and the page of a path. The page of an unknown path is undefined. */
export function findPage(path: string): { readonly area: Area | undefined; readonly page: ConsolePage | undefined } {
  const isAt = (parent: string) => path === parent || path.startsWith(`${parent}/`)
  const page = areas.flatMap(({ pages }) => pages).find((each) => isAt(each.path))
  const area = areas.find(({ pages, path: root }) => (page ? pages.includes(page) : isAt(root)))
  return { area, page }
}

/** Loads all pages and the card of a conversion for use without a network. A page that fails to load shows its error when a user opens it. */
export async function prefetchPages(): Promise<void> {
  const loads = [receipt, pools, key, requests, webhooks, calls, faults, keys, allRequests, audit, quotes, health]
  await Promise.allSettled([import('../convert/conversions/ConversionCard.tsx'), ...loads.map((load) => load())])
}

type Load = () => Promise<ComponentType>

function toPage(load: Load) {
  return lazy(async () => ({ default: await load() }))
}

// Vite loads the styles of a chunk only once, so a failed page is loaded again only by a reload.
function once(load: Load): Load {
  let loading: ReturnType<Load> | undefined
  return async () => await (loading ??= load().catch((cause: unknown) => Promise.reject(new PageLoadError(cause))))
}

/** The error of a page whose files could not be loaded. */
export class PageLoadError extends Error {
  override readonly name = 'PageLoadError'

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}
