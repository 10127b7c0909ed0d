import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

const require = createRequire(import.meta.url)
const root = resolve(import.meta.dirname, '../../../..')
const consoleSources = join(root, 'packages/console/src')

/** The paths of the files that the service reads, by their names in the bundle of `@agio/localnet`. */
export const assets = {
  'openapi.json': join(root, 'openapi.json'),
  /** The folder that `pnpm build` writes the console to. */
  console: join(root, 'packages/console/dist'),
  /** The folder of the documentation. It uses the styles and the icon of the console. */
  docs: join(root, 'docs'),
  'base.css': join(consoleSources, 'styles/base.css'),
  'icon.svg': join(consoleSources, 'icon.svg'),
  'site.css': require.resolve('@agio/api/site.css'),
  'site.js': require.resolve('@agio/api/site.js'),
  'minisearch.js': require.resolve('minisearch').replace(/dist[/\\].*$/, 'dist/es/index.js'),
  /** The API reference of Scalar. */
  'reference.js': require.resolve('@scalar/api-reference').replace(/dist[/\\].*$/, 'dist/browser/standalone.js'),
}
