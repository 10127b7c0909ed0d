import { lazy } from 'react'
import { ConvertPage } from '../convert/ConvertPage.tsx'

const ReceiptPage = lazy(async () => ({ default: (await import('../receipt/ReceiptPage.tsx')).ReceiptPage }))
const PoolsPage = lazy(async () => ({ default: (await import('../pools/PoolsPage.tsx')).PoolsPage }))
const DevelopersPage = lazy(async () => ({
  default: (await import('../developers/DevelopersPage.tsx')).DevelopersPage,
}))
const UsagePage = lazy(async () => ({ default: (await import('../usage/UsagePage.tsx')).UsagePage }))

/** The pages in the order of the navigation. All pages except the first are loaded on demand. */
export const pages = [
  { path: '/', title: 'Convert', Page: ConvertPage },
  { path: '/receipt', pattern: '/receipt/:transactionHash?', title: 'Receipt', Page: ReceiptPage },
  { path: '/pools', title: 'Pools', Page: PoolsPage },
  { path: '/developers', title: 'Developers', Page: DevelopersPage },
  { path: '/usage', title: 'Usage and keys', Page: UsagePage },
] as const
