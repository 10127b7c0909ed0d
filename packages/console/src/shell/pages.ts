import { lazy, type ComponentType } from 'react'
import { ConvertPage } from '../convert/ConvertPage.tsx'

const receipt = once(async () => (await import('../receipt/ReceiptPage.tsx')).ReceiptPage)
const pools = once(async () => (await import('../pools/PoolsPage.tsx')).PoolsPage)
const developers = once(async () => (await import('../developers/DevelopersPage.tsx')).DevelopersPage)
const usage = once(async () => (await import('../usage/UsagePage.tsx')).UsagePage)

/** The pages in the order of the navigation. All pages except the first are loaded on demand. */
export const pages = [
  { path: '/', title: 'Convert', Page: ConvertPage },
  { path: '/receipt', pattern: '/receipt/:transactionHash?', title: 'Receipt', Page: toPage(receipt) },
  { path: '/pools', title: 'Pools', Page: toPage(pools) },
  { path: '/developers', title: 'Developers', Page: toPage(developers) },
  { path: '/usage', title: 'Usage and keys', Page: toPage(usage) },
] as const

/** Loads all pages and the card of a conversion, so that they also open without a network. A page that fails to load shows its error when it is opened. */
export async function prefetchPages(): Promise<void> {
  const card = import('../convert/conversions/ConversionCard.tsx')
  await Promise.allSettled([card, receipt(), pools(), developers(), usage()])
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
