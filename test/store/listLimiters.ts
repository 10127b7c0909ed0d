import { openLimiter, type Limiter, type StoreLog } from '@agio/store'
import { findServices, redisUrl } from '../harness/findServices.ts'

/** Lists the limiters: in memory, and on Redis where one is available. */
export async function listLimiters(): Promise<readonly LimiterKind[]> {
  const local: LimiterKind = { name: 'in memory', state: 'local', create: (log) => openLimiter({ log }) }
  const shared: LimiterKind = {
    name: 'on Redis',
    state: 'shared',
    create: (log) => openLimiter({ redisUrl, log }),
  }
  return (await findServices(['Redis'], 'limits on Redis')) ? [local, shared] : [local]
}

export type LimiterKind = {
  readonly name: string
  readonly state: ReturnType<Limiter['state']>
  create(log: StoreLog): Promise<Limiter>
}
