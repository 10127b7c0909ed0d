export type { AgioErrorData, AppRouter } from './router/AppRouter.ts'
