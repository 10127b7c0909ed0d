export type { Chain } from './Chain.ts'
export { createChain } from './createChain.ts'
export { type CallPermit, type ConversionAmounts } from './call/ConversionCall.ts'
export { type DecodedConversionCall } from './call/decodeConversionCall.ts'
export { type BatchCall, type BuiltBatch } from './convert/buildBatch.ts'
export { type BuiltConvert } from './convert/buildConvert.ts'
export { type Ladder } from './convert/priceLadder.ts'
export { type PricedConversion } from './convert/priceExactIn.ts'
export { type PricedExactOut } from './convert/priceExactOut.ts'
export { listForeign, parseDeployment, type Deployment } from './deployment/Deployment.ts'
export { type Claims, type FaucetTerms } from './faucet/createFaucet.ts'
export { type Head } from './head/Head.ts'
export { type NodeReport } from './health/UpstreamNode.ts'
export {
  type ConversionOutcome,
  type ExecutedConversion,
  type FailedConversion,
  type MinedReceipt,
} from './receipt/readConversionReceipt.ts'
export { type AccountCode, type ApprovalState } from './permit/readApprovalState.ts'
export { type PermitDomain, type TypedData } from './permit/TypedData.ts'
export { type PoolReport } from './snapshot/createUnreadablePools.ts'
export { type TokenPermits } from './permit/createTokenPermits.ts'
export { permit2Address, type SignedSwap } from './permit/permit2.ts'
export { type ReadBlock } from './reader/createReader.ts'
export { exactOutRouterId, type RouterFeatures } from './router/createRouterFeatures.ts'
export { type Snapshot } from './snapshot/createSnapshots.ts'
export { type Receipt } from './transaction/readReceipt.ts'
export { type TransactionFacts, type MinedState, type TrackedTransaction } from './tracking/trackTransaction.ts'
