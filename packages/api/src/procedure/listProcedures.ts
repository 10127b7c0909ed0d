import type { AnyProcedure, AnyRouter } from '@trpc/server'
import type { z } from 'zod'
import type { Meta } from './procedure.ts'

const known = new WeakMap<AnyRouter, ReadonlyMap<string, ListedProcedure>>()

/** Lists the procedures of a router by operation, once for each router. */
export function listProcedures(router: AnyRouter): ReadonlyMap<string, ListedProcedure> {
  const found = known.get(router)
  if (found) return found
  const procedures = Object.entries(router._def.procedures as unknown as Readonly<Record<string, AnyProcedure>>)
  const listed = new Map(procedures.map(([operation, procedure]) => [operation, toListed(procedure)]))
  known.set(router, listed)
  return listed
}

/** A procedure of a router, with what it declares. */
export type ListedProcedure = {
  readonly procedure: AnyProcedure
  readonly type: AnyProcedure['_def']['type']
  readonly meta: Partial<Meta>
  /** The schemas of its input; empty if it takes none. */
  readonly inputs: readonly z.ZodType[]
}

function toListed(procedure: AnyProcedure): ListedProcedure {
  const {
    type,
    meta = {},
    inputs,
  } = procedure._def as unknown as Omit<ListedProcedure, 'meta'> & { readonly meta?: Meta }
  return { procedure, type, meta, inputs }
}
