import { createLocalLimiter, createSharedLimiter, type Limiter } from '@agio/store'
import { findServices, redisUrl } from '../stack/findServices.ts'
import { createLog } from './createLog.ts'

/** Every kind of limiter: within one process, and on a real Redis where there is one. */
export async function listLimiters(): Promise<readonly LimiterKind[]> {
  const local: LimiterKind = { name: 'in memory', state: 'local', create: async () => createLocalLimiter() }
  const shared: LimiterKind = {
    name: 'on Redis',
    state: 'shared',
    create: () => createSharedLimiter({ url: redisUrl, log: createLog() }),
  }
  return (await findServices(['Redis'], 'limits on Redis')) ? [local, shared] : [local]
}

export type LimiterKind = {
  readonly name: string
  readonly state: ReturnType<Limiter['state']>
  create(): Promise<Limiter>
}
