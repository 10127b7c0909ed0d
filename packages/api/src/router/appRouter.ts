import { create as createBackup } from '../admin/createBackup.ts'
import { create } from '../admin/createKey.ts'
import { erase } from '../admin/eraseKey.ts'
import { listAudit } from '../admin/listAudit.ts'
import { list as listKeys } from '../admin/listKeys.ts'
import { revoke as revokeKey } from '../admin/revokeKey.ts'
import { rotate } from '../admin/rotateKey.ts'
import { update } from '../admin/updateKey.ts'
import { listPauses } from '../admin/listQuotePauses.ts'
import { pause } from '../admin/pauseQuotes.ts'
import { resume } from '../admin/resumeQuotes.ts'
import { revokeSecrets } from '../admin/revokeQuoteSecrets.ts'
import { rotateSecret } from '../admin/rotateQuoteSecret.ts'
import { requests as listRequests } from '../admin/requests.ts'
import { stats } from '../admin/stats.ts'
import { build as buildApproval } from '../approval/build.ts'
import { check } from '../approval/check.ts'
import { plan } from '../approval/plan.ts'
import { revoke } from '../approval/revoke.ts'
import { list as listChains } from '../chains/list.ts'
import { ladder } from '../convert/ladder.ts'
import { preview } from '../convert/preview.ts'
import { quote } from '../convert/quote.ts'
import { buildClaimAll } from '../faucet/buildClaimAll.ts'
import { info } from '../faucet/info.ts'
import { rotate as rotateOwnKey } from '../keys/rotate.ts'
import { self } from '../keys/self.ts'
import { tokens } from '../faucet/tokens.ts'
import { previewDeposit } from '../pools/previewDeposit.ts'
import { previewWithdraw } from '../pools/previewWithdraw.ts'
import { hours } from '../market/hours.ts'
import { prices } from '../market/prices.ts'
import { get } from '../pools/get.ts'
import { list } from '../pools/list.ts'
import { receipt } from '../convert/receipt.ts'
import { watch as watchTopics } from '../stream/topics/watch.ts'
import { deprecatedProcedures } from '../convert/deprecatedProcedures.ts'
import { buildReplace } from '../transaction/buildReplace.ts'
import { track } from '../transaction/track.ts'
import { broadcast } from '../transaction/broadcast.ts'
import { broadcastConvert } from '../transaction/broadcastConvert.ts'
import { buildConvert } from '../transaction/buildConvert.ts'
import { nonce } from '../transaction/nonce.ts'
import { status } from '../transaction/status.ts'
import { router } from '../procedure/procedure.ts'
import { get as getUsage } from '../usage/get.ts'
import { requests } from '../usage/requests.ts'
import { create as createWebhook } from '../webhooks/create.ts'
import { deliveries } from '../webhooks/deliveries.ts'
import { list as listWebhooks } from '../webhooks/list.ts'
import { remove } from '../webhooks/remove.ts'
import { replay } from '../webhooks/replay.ts'
import { rotate as rotateWebhook } from '../webhooks/rotate.ts'
import { test } from '../webhooks/test.ts'
import { watch } from '../webhooks/watch.ts'
import { watches } from '../webhooks/watches.ts'

const publicGroups = {
  chains: router({ list: listChains }),
  pools: router({ list, get }),
  convert: router({ preview, ladder, quote, receipt }),
  swap: deprecatedProcedures,
  liquidity: router({ previewDeposit, previewWithdraw }),
  oracle: router({ prices }),
  market: router({ hours }),
  approval: router({ plan, check, build: buildApproval, revoke }),
  transaction: router({ buildConvert, buildReplace, broadcast, broadcastConvert, status, track, nonce }),
  stream: router({ watch: watchTopics }),
  faucet: router({ info, tokens, buildClaimAll }),
  keys: router({ self, rotate: rotateOwnKey }),
  usage: router({ get: getUsage, requests }),
  webhooks: router({
    create: createWebhook,
    list: listWebhooks,
    delete: remove,
    rotate: rotateWebhook,
    deliveries,
    replay,
    test,
    watch,
    watches,
  }),
}

/** The procedures for API keys, which a port without the operations of operators serves. */
export const publicRouter = router(publicGroups)

/** All procedures of the service, in groups. */
export const appRouter = router({
  ...publicGroups,
  admin: router({
    stats,
    requests: listRequests,
    audit: listAudit,
    backups: router({ create: createBackup }),
    keys: router({ create, list: listKeys, update, rotate, revoke: revokeKey, erase }),
    quotes: router({ rotateSecret, revokeSecrets, pause, resume, listPauses }),
  }),
})

/** The type of the router, for typed clients. */
export type AppRouter = typeof appRouter

/** The procedures of a port: all of them, or those for API keys alone. */
export type ServedRouter = typeof appRouter | typeof publicRouter
