import { z } from 'zod'
import { toActor } from '../procedure/Context.ts'
import { adminProcedure, rest } from '../procedure/procedure.ts'
import { timestamp, wholeNumber } from '../schema/fields.ts'

const backup = z
  .object({
    file: z.string().meta({
      description: 'Name of the file in `BACKUP_DIR` of the service',
      example: 'agio-20261129T140812345Z.tar.gz',
    }),
    bytes: wholeNumber.meta({ description: 'Size of the file', example: 5_242_880 }),
    createdAt: timestamp.meta({ description: 'Start of the copy', example: '2026-11-29T14:08:12.345Z' }),
  })
  .meta({ id: 'Backup', description: 'A copy of the database, on the disk of the service' })

/** Backs the embedded database up. */
export const create = adminProcedure
  .meta({
    openapi: rest('POST /api/v1/admin/backups', 'Admin', {
      operationId: 'createBackup',
      summary: 'Back the database up',
      description:
        'Writes a copy of the embedded database to a new file in `BACKUP_DIR` of the service, which continues to serve. No response contains the copy. With PostgreSQL, use `pg_dump`.',
    }),
    role: 'backup',
  })
  .input(z.strictObject({}).optional())
  .output(backup)
  .mutation(async ({ ctx, path }) => {
    const { createdAt, ...created } = await ctx.store.backups.create(toActor(ctx, path))
    return { ...created, createdAt: createdAt.toISOString() }
  })
