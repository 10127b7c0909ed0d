import { dryFaucet } from './chain/dryFaucet.ts'
import { mine } from './chain/mine.ts'
import { noMining } from './chain/noMining.ts'
import { poolFrozen } from './chain/poolFrozen.ts'
import { priceMove } from './chain/priceMove.ts'
import { reorg } from './chain/reorg.ts'
import { stalePrice } from './chain/stalePrice.ts'
import { thinPool } from './chain/thinPool.ts'
import { rpcDown } from './rpc/rpcDown.ts'
import { rpcGarbage } from './rpc/rpcGarbage.ts'
import { rpcRateLimited } from './rpc/rpcRateLimited.ts'
import { rpcSlow } from './rpc/rpcSlow.ts'

/** Every scenario, by its name. */
export const catalogue = {
  'stale-price': stalePrice,
  'price-move': priceMove,
  'thin-pool': thinPool,
  'pool-frozen': poolFrozen,
  'no-mining': noMining,
  mine,
  reorg,
  'dry-faucet': dryFaucet,
  'rpc-down': rpcDown,
  'rpc-slow': rpcSlow,
  'rpc-rate-limited': rpcRateLimited,
  'rpc-garbage': rpcGarbage,
} as const

export type ScenarioName = keyof typeof catalogue
