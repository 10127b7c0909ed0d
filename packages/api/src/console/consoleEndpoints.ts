import { Errors } from '@agio/core'
import { Hono } from 'hono'
import { createDocumentLimiter } from '../admission/createDocumentLimiter.ts'
import type { HttpExchange } from '../http/HttpExchange.ts'
import type { AppSettings } from '../settings/AppSettings.ts'
import type { ConsoleSource } from '../settings/ConsoleSource.ts'
import { createBuiltConsole } from './createBuiltConsole.ts'
import { createConsolePage } from './createConsolePage.ts'

// Paths without an extension belong to the page, which has its own routes. Paths are not decoded.
const pagePattern = /^\/console(?:\/[\w-]+)*\/?$/
const assetPattern = /^\/console\/(assets\/[\w-][\w.-]*)$/
const assetsFolder = /^\/console\/assets(?:\/|$)/

/**
 * Creates the endpoints of the console: its page, at all paths below `/console` without an extension, and the assets of
 * the page. The endpoints need no key. Requests without a key are limited by address.
 */
export function consoleEndpoints(settings: Dependencies): Hono<{ Bindings: Bindings }> {
  const limitRequests = createDocumentLimiter(settings, 'console')
  const built = createBuiltConsole(settings.console)
  const respondWithPage = createConsolePage(settings)
  const endpoints = new Hono<{ Bindings: Bindings }>()
  endpoints.get('/console/*', async (c) => {
    const { exchange } = c.env
    const { path } = exchange
    await limitRequests(exchange)
    const [, asset] = assetPattern.exec(path) ?? []
    const document = asset === undefined ? undefined : await built.findAsset(asset)
    if (document) return await document(c.req.raw.headers)
    if (!pagePattern.test(path) || assetsFolder.test(path)) throw Errors.pathNotFound(path)
    const template = await built.readTemplate()
    if (template === undefined)
      throw Errors.notFound({ action: `find ${path}`, reason: 'the console is not built. Run `pnpm build`' })
    return respondWithPage(template, path)
  })
  return endpoints
}

type Dependencies = createDocumentLimiter.Dependencies &
  Pick<AppSettings, 'chains'> & { readonly console: ConsoleSource }

type Bindings = { readonly exchange: HttpExchange }
