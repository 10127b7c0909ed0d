import { fileURLToPath } from 'node:url'

/** Where the SQL that brings a database's schema up to date is, in order; drizzle-kit writes it. */
export const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url))
