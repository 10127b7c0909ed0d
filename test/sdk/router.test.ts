import type { AppRouter as ServedRouter } from '@agio/api'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import { expectTypeOf, it } from 'vitest'
import type { AppRouter } from '../../packages/sdk/src/trpc.ts'

/** A type whose hex text is any text, and whose literal numbers are any number, as in the schemas of the service. */
type Widen<Type> = Type extends `0x${string}`
  ? string
  : Type extends number
    ? number
    : Type extends object
      ? { [Name in keyof Type]: Widen<Type[Name]> }
      : Type

/** A type with all its optional fields: types that differ in an optional field extend each other. */
type Complete<Type> = Type extends object ? { [Name in keyof Type]-?: Complete<Type[Name]> } : Type

it('the router type of the SDK returns exactly what the router of the service returns', () => {
  type Outputs = Widen<inferRouterOutputs<AppRouter>>
  type Served = Widen<Omit<inferRouterOutputs<ServedRouter>, 'admin'>>
  expectTypeOf<Outputs>().toExtend<Served>()
  expectTypeOf<Served>().toExtend<Outputs>()
  expectTypeOf<Complete<Outputs>>().toExtend<Complete<Served>>()
  expectTypeOf<Complete<Served>>().toExtend<Complete<Outputs>>()
})

it('every input that the router type of the SDK takes is one that the router of the service takes', () => {
  type Inputs = inferRouterInputs<AppRouter>
  type Served = Omit<inferRouterInputs<ServedRouter>, 'admin'>
  expectTypeOf<Inputs>().toExtend<Served>()
  // No input and an empty one are the same to the service, and different types.
  type Fields = Widen<Complete<Omit<Inputs, 'chains'>>>
  type ServedFields = Widen<Complete<Omit<Served, 'chains'>>>
  expectTypeOf<Fields>().toExtend<ServedFields>()
  expectTypeOf<ServedFields>().toExtend<Fields>()
})
