import type { AnyProcedure } from '@trpc/server'
import { decodePath } from '../http/decodePath.ts'
import { appRouter } from '../router/appRouter.ts'

/**
 * Lists the methods of a procedure, or of a batch of procedures, which are all queries or all mutations: queries may be sent by
 * POST too. None if no procedure has one of the names.
 *
 * @param encodedPath the names as in the path of a request, after `/trpc/`
 */
export function listProcedureMethods(encodedPath: string): readonly string[] {
  const names = decodePath(encodedPath).split(',')
  const types = new Set(names.map((name) => procedures.get(name)?._def.type))
  if (types.has('mutation')) return ['POST']
  return types.has('query') || types.has('subscription') ? ['GET', 'POST'] : []
}

const procedures = new Map(
  Object.entries(appRouter._def.procedures as unknown as Readonly<Record<string, AnyProcedure>>),
)
