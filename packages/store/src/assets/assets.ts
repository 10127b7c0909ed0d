import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** The path of the database engine; undefined in the bundle of `@agio/localnet`, which contains it. */
export const engine: string | undefined = createRequire(import.meta.url).resolve('@electric-sql/pglite')

/** The paths of the files that this package reads, by their names in the bundle of `@agio/localnet`. */
export const assets = {
  /** The SQL migrations, which drizzle-kit generates from the schema. */
  migrations: fileURLToPath(new URL('../../migrations', import.meta.url)),
}
