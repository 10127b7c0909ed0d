export type { AgioErrorData, AppRouter, WatchData } from './trpc/AppRouter.ts'
