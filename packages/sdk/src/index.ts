export type * from './api/AgioApi.ts'
export type { CallOptions, Mutation, Query } from './api/procedures.ts'
export type * from './api/schemas.ts'
export {
  AgioError,
  isAgioError,
  type AgioErrorCode,
  type AgioErrorDetails,
  type AnyAgioError,
} from './errors/AgioError.ts'
