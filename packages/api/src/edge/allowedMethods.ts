import { listProcedures } from '../procedure/listProcedures.ts'
import type { ServedRouter } from '../router/appRouter.ts'

/** Lists the methods that a path supports: the defined methods, and `HEAD` if it defines `GET`. */
export function listAllowedMethods(defined: readonly string[]): readonly string[] {
  return (defined.includes('GET') ? ['HEAD', ...defined] : [...defined]).toSorted()
}

/** Returns the header `Allow` of a path, from the methods that it defines. Every path supports `OPTIONS`. */
export function formatAllow(defined: readonly string[]): string {
  return [...listAllowedMethods(defined), 'OPTIONS'].join(', ')
}

/**
 * Lists the methods of a procedure, or of a batch of procedures: POST for mutations, GET and POST for queries. The list is
 * empty if no procedure has one of the names.
 */
export function listProcedureMethods(router: ServedRouter, names: readonly string[]): readonly string[] {
  const procedures = listProcedures(router)
  const types = new Set(names.map((name) => procedures.get(name)?.type))
  if (types.has('mutation')) return ['POST']
  return types.has('query') || types.has('subscription') ? ['GET', 'POST'] : []
}
