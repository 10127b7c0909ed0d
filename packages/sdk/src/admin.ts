export type * from './admin/AdminApi.ts'
export type * from './admin/adminSchemas.ts'
