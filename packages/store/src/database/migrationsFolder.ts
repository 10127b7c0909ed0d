import { fileURLToPath } from 'node:url'

/** Folder of the SQL migrations, which drizzle-kit generates from the schema. */
export const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url))
