import type { AppRouter as ServedRouter } from '@agio/api'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import { expectTypeOf, it } from 'vitest'
import type { AdminApi } from '../../packages/sdk/src/admin.ts'
import type { AgioApi } from '../../packages/sdk/src/index.ts'
import type { ToRouter } from '../../packages/sdk/src/trpc/AppRouter.ts'

type Router = ToRouter<AgioApi & AdminApi>

it('the operations of the SDK return exactly what the router of the service returns', () => {
  type Outputs = Widen<inferRouterOutputs<Router>>
  type Served = Widen<Called<inferRouterOutputs<ServedRouter>>>
  expectTypeOf<Outputs>().toExtend<Served>()
  expectTypeOf<Served>().toExtend<Outputs>()
  expectTypeOf<Complete<Outputs>>().toExtend<Complete<Served>>()
  expectTypeOf<Complete<Served>>().toExtend<Complete<Outputs>>()
})

it('the operations of the SDK take all inputs that the router of the service takes, and no other', () => {
  type Inputs = inferRouterInputs<Router>
  type Served = Called<inferRouterInputs<ServedRouter>>
  expectTypeOf<Inputs>().toExtend<Served>()
  expectTypeOf<Widen<Complete<Inputs>>>().toExtend<Widen<Complete<Served>>>()
  expectTypeOf<Widen<Complete<Served>>>().toExtend<Widen<Complete<Inputs>>>()
})

/** The operations that are called: test/streams/streams.test.ts subscribes to the others. */
type Called<Operations> = Omit<Operations, 'stream'>

/** A type whose hex text is any text, and whose literal numbers are any number, as in the schemas of the service. */
type Widen<Type> = Type extends `0x${string}`
  ? string
  : Type extends number
    ? number
    : Type extends object
      ? { [Name in keyof Type]: Widen<Type[Name]> }
      : Type

/** A type with all its optional fields: types that differ in an optional field extend each other. No input counts as an empty one. */
type Complete<Type> = Type extends undefined | void | Record<string, never>
  ? never
  : Type extends object
    ? { [Name in keyof Type]-?: Complete<Type[Name]> }
    : Type
