import { fileURLToPath } from 'node:url'

/** The paths of the files that this package reads, by their names in the bundle of `@agio/localnet`. */
export const assets = {
  /** The SQL migrations, which drizzle-kit generates from the schema. */
  migrations: fileURLToPath(new URL('../../migrations', import.meta.url)),
}
