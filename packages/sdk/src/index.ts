export type * from './api/AgioApi.ts'
export type { CallOptions, Mutation, Query } from './api/procedures.ts'
export type * from './api/schemas.ts'
