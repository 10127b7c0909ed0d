export type { AgioErrorData, AppRouter, WatchData } from './router/AppRouter.ts'
