import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import type { ProviderError, TestWallet } from '../../packages/sdk/src/testing.ts'
import { eventually } from '../harness/timeLimits.ts'

/**
 * Opens a page in its own context, in which a wallet is installed as an extension installs one: it outlives a reload of the
 * page. Every request of the page that is not to one of the origins is aborted and listed.
 */
export async function openPage(browser: Browser, { url, origins, wallet, prepare, ...options }: openPage.Options) {
  const context = await browser.newContext({ viewport: { width: 900, height: 900 }, ...options })
  context.setDefaultTimeout(eventually.timeout)
  const strayRequests: string[] = []
  const errors: string[] = []
  const methods: string[] = []

  const isKnown = (requested: string) => origins.includes(new URL(requested).origin)
  await context.route(/^(?!data:)/, async (route) => {
    const requested = route.request().url()
    if (isKnown(requested)) return await route.continue()
    strayRequests.push(requested)
    return await route.abort()
  })
  await context.routeWebSocket(/^/, (socket) => {
    strayRequests.push(socket.url())
    void socket.close()
  })
  await context.exposeBinding('requestWallet', async (_, args: { method: string; params?: unknown }) => {
    methods.push(args.method)
    return await wallet?.request(args).then(
      (result) => ({ result }),
      ({ code, message, data }: ProviderError) => ({ error: { code, message, data } }),
    )
  })
  context.on('weberror', (error) => errors.push(error.error().message))
  await prepare?.(context)
  const page = await context.newPage()
  await page.goto(url)
  return {
    page,
    /** URLs of requests that were aborted. */
    strayRequests,
    /** Messages of errors that the page did not catch. */
    errors,
    /** Methods that the page requested from the wallet. */
    methods,
    [Symbol.asyncDispose]: () => context.close(),
  }
}

export declare namespace openPage {
  type Options = BrowserContextOptions & {
    readonly url: string
    /** The origins that the page may request from. */
    readonly origins: readonly string[]
    /** Answers `window.requestWallet(args)`, which the script of a wallet calls. */
    readonly wallet?: TestWallet | undefined
    /** Is called before the page is opened, to add such a script for example. */
    readonly prepare?: (context: BrowserContext) => Promise<unknown>
  }
}

export type OpenPage = Awaited<ReturnType<typeof openPage>>
