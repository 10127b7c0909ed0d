import { Network } from '@agio/core'
import type { Browser, BrowserContext, BrowserContextOptions, Request } from 'playwright-core'
import { expect, inject, onTestFinished } from 'vitest'
import type { TestWallet } from '../../packages/sdk/src/testing.ts'
import { openPage } from './openPage.ts'
import type { ConsoleStack } from './ConsoleStack.ts'
import { installWallet } from './installWallet.ts'
import { toScreenshotPath } from './screenshots.ts'

/**
 * Opens the console in its own browser context, until the test has finished. The test then fails if the page has requested
 * anything from another origin, has violated its policy, or has reported an error. A failed test keeps a screenshot.
 *
 * A response with an error, which Chromium reports too, does not count: it is in `failures`, which is empty unless the test
 * provokes failures.
 */
export async function openConsole(
  browser: Browser,
  {
    stack = inject('stack'),
    root = '/console',
    path = '',
    wallet,
    prepare,
    faults = false,
    ...options
  }: openConsole.Options,
) {
  const reports: string[] = []
  const calls = recordCalls()
  const opened = await openPage(browser, {
    viewport: { width: 1280, height: 900 },
    ...options,
    url: `${stack.url}${root}${path}`,
    origins: [stack.url, ...Network.chainIds.map((chainId) => stack.chains[chainId].rpcUrl)],
    wallet,
    async prepare(context) {
      context.on('console', (message) => {
        if (!['error', 'warning'].includes(message.type())) return
        const isFailure = failures.some((failure) => message.text().startsWith(failure))
        if (!isFailure || !faults) reports.push(`${message.text()} ${message.location().url}`)
      })
      context.on('request', calls.begin)
      context.on('requestfinished', calls.end)
      context.on('requestfailed', calls.end)
      await context.addInitScript(reportViolations)
      if (wallet) await installWallet(context, wallet)
      await prepare?.(context)
    },
  })
  onTestFinished(async ({ task }) => {
    const { page, strayRequests, errors } = opened
    if (task.result?.state === 'fail') await page.screenshot({ path: toScreenshotPath(`failed/${task.name}`) })
    await opened[Symbol.asyncDispose]()
    expect({ strayRequests, errors, reports }).toEqual({ strayRequests: [], errors: [], reports: [] })
  })
  return { page: opened.page, context: opened.page.context(), methods: opened.methods, listCalls: calls.list }
}

// The messages of Chromium about an error response, and of React about a page whose files could not be loaded.
const failures = ['Failed to load resource', 'PageLoadError']

export declare namespace openConsole {
  type Options = BrowserContextOptions & {
    /** Default: the stack of all tests. */
    readonly stack?: ConsoleStack
    /** The path of all pages. Default: `/console`. */
    readonly root?: string
    /** The path of the page, after the path of all. */
    readonly path?: string
    /** A wallet of the browser, which is connected. Without it the page connects its own test wallet. */
    readonly wallet?: TestWallet
    /** Whether the test provokes responses with errors. */
    readonly faults?: boolean
    readonly prepare?: (context: BrowserContext) => Promise<unknown>
  }
}

export type OpenConsole = Awaited<ReturnType<typeof openConsole>>

/** A call of a procedure. */
export type Call = {
  readonly procedure: string
  /** Whether its response has arrived, or none will. */
  readonly isOver: boolean
}

function recordCalls() {
  const calls = new Map<Request, Call>()
  return {
    /** Lists all calls of procedures so far. */
    list: (): readonly Call[] => [...calls.values()],
    begin(request: Request) {
      const procedure = /\/trpc\/([\w.]+)/.exec(request.url())?.[1]
      if (procedure !== undefined) calls.set(request, { procedure, isOver: false })
    },
    end(request: Request) {
      const call = calls.get(request)
      if (call) calls.set(request, { ...call, isOver: true })
    },
  }
}

/** Runs in each page. */
function reportViolations(): void {
  const page = globalThis as unknown as EventTarget
  page.addEventListener('securitypolicyviolation', (event) => {
    const { effectiveDirective, blockedURI } = event as unknown as Record<string, string>
    console.error(`Violation of ${effectiveDirective} by ${blockedURI}`)
  })
}
