import { Errors, type Address, type Token } from '@agio/core'
import { encodeFunctionData, erc20Abi, size } from 'viem'
import { faucetAbi, readerAbi } from '../abi/index.ts'
import type { FeeCeilings } from '../gas/createFeeCeilings.ts'
import { readFees } from '../gas/readFees.ts'
import { toL1Fee, toL1FeeCall, toUnsignedBytes, type L1Fee } from '../gas/l1DataFee.ts'
import { estimateGas, withMargin } from '../gas/estimateGas.ts'
import { decodeResult, type Result } from '../reader/decodeResult.ts'
import { createFact } from '../reader/createFact.ts'
import type { FactReader, FactSource } from '../reader/createFactReader.ts'
import type { Call, ReadBlock, Reader } from '../reader/createReader.ts'
import { decodeRevert, type Revert } from '../revert/decodeRevert.ts'
import { findRevertData } from '../errors/findRevertData.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import { readTokens } from '../token/readTokens.ts'

const claimAll = encodeFunctionData({ abi: faucetAbi, functionName: 'claimAll' })

/** Returns a function that reads the terms of a faucet. The terms cannot change on chain, so they are read once. */
export function createFaucetTerms(facts: FactReader, address: Address): () => Promise<FaucetTerms> {
  return createFact({ facts, read: (source) => readTerms(source, address) })
}

/** Reads the deployment's faucet and builds its claims. */
export function createFaucet({ address, getTerms, reads }: createFaucet.Dependencies) {
  return {
    getTerms,
    readClaims: (user: Address) => readClaims(reads().reader, address, user).catch(rethrowUpstream),
    /**
     * Returns an unsigned claim and its gas limit, or the revert that it would cause. In most cases `state` has the reason of
     * the revert.
     */
    async buildClaim(user: Address) {
      const terms = await getTerms()
      const { rpc, reader, feeCeilings } = reads()
      const call = { from: user, to: address, data: claimAll }
      const [state, fees, estimate] = await Promise.all([
        readClaimState(reader, terms, user),
        readFees({ rpc, feeCeilings }),
        estimateGas(rpc, [call])
          .then((gas) => ({ gasLimit: withMargin(gas), revert: undefined }))
          .catch(toRevertOrThrow),
      ]).catch(rethrowUpstream)
      return { state, maxFeePerGas: fees.maxFeePerGas, to: address, data: claimAll, ...estimate }
    },
  }
}

export declare namespace createFaucet {
  type Dependencies = {
    readonly address: Address
    readonly getTerms: () => Promise<FaucetTerms>
    /** Returns the node access and the reader of the current client. */
    readonly reads: () => { readonly rpc: Rpc; readonly reader: Reader; readonly feeCeilings: FeeCeilings }
  }
}

/** What a faucet pays, and how often. */
export type FaucetTerms = {
  readonly address: Address
  readonly cooldownSeconds: bigint
  /** Each token with the raw units that one claim pays. */
  readonly tokens: readonly (Token & { readonly amountRaw: bigint })[]
}

/** The times of a user's last and next claim (zero means never), and the block that they were read at. */
export type Claims = {
  readonly lastClaimAtSeconds: bigint
  readonly nextClaimAtSeconds: bigint
  readonly block: ReadBlock
}

type ClaimEstimate =
  | { readonly gasLimit: bigint; readonly revert: undefined }
  | { readonly gasLimit: undefined; readonly revert: Revert }

type ClaimState = Claims &
  L1Fee & {
    /** The user's native balance, in wei. */
    readonly nativeBalance: bigint
    /** The first token of which the faucet holds less than one claim. */
    readonly dryToken: Address | undefined
  }

// Each token is read with four calls. The faucet of a test network has one token for each currency.
const maxTokens = 100

/** @throws `svc/upstream-error` for more than 100 tokens, before they are decoded */
function listTokens(result: Result | undefined): readonly Address[] {
  // The offset and the length come before the tokens, with one word each.
  if (result?.success === true && size(result.data) > 32 * (2 + maxTokens)) {
    const reason = `it has more than ${maxTokens} tokens`
    throw Errors.upstreamError({ action: 'read the tokens of the faucet', reason })
  }
  return decodeResult(result, faucetAbi, 'tokens')
}

async function readTerms(reader: FactSource, address: Address): Promise<FaucetTerms> {
  const { results } = await reader.aggregate([
    { target: address, data: encodeFunctionData({ abi: faucetAbi, functionName: 'tokens' }) },
    { target: address, data: encodeFunctionData({ abi: faucetAbi, functionName: 'cooldown' }) },
  ])
  const addresses = listTokens(results[0])
  const [tokens, drips] = await Promise.all([
    readTokens(reader, addresses, 'latest'),
    reader.aggregate(
      addresses.map((token) => ({
        target: address,
        data: encodeFunctionData({ abi: faucetAbi, functionName: 'dripOf', args: [token] }),
      })),
    ),
  ])
  return {
    address,
    cooldownSeconds: decodeResult(results[1], faucetAbi, 'cooldown'),
    tokens: tokens.map((token, index) => ({
      ...token,
      amountRaw: decodeResult(drips.results[index], faucetAbi, 'dripOf'),
    })),
  }
}

function claimCalls(address: Address, user: Address): readonly Call[] {
  return (['lastClaimAt', 'nextClaimAt'] as const).map((functionName) => ({
    target: address,
    data: encodeFunctionData({ abi: faucetAbi, functionName, args: [user] }),
  }))
}

async function readClaims(reader: Reader, address: Address, user: Address): Promise<Claims> {
  const { block, results } = await reader.aggregateNewest(claimCalls(address, user))
  return {
    lastClaimAtSeconds: decodeResult(results[0], faucetAbi, 'lastClaimAt'),
    nextClaimAtSeconds: decodeResult(results[1], faucetAbi, 'nextClaimAt'),
    block,
  }
}

async function readClaimState(reader: Reader, { address, tokens }: FaucetTerms, user: Address): Promise<ClaimState> {
  const { block, results } = await reader.aggregateNewest([
    ...claimCalls(address, user),
    {
      target: reader.address,
      data: encodeFunctionData({ abi: readerAbi, functionName: 'nativeBalance', args: [user] }),
    },
    toL1FeeCall(toUnsignedBytes({ to: address, data: claimAll })),
    ...tokens.map((token) => ({
      target: token.address,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [address] }),
    })),
  ])
  const dry = tokens.find(({ amountRaw }, index) => decodeResult(results[index + 4], erc20Abi, 'balanceOf') < amountRaw)
  return {
    lastClaimAtSeconds: decodeResult(results[0], faucetAbi, 'lastClaimAt'),
    nextClaimAtSeconds: decodeResult(results[1], faucetAbi, 'nextClaimAt'),
    block,
    nativeBalance: decodeResult(results[2], readerAbi, 'nativeBalance'),
    ...toL1Fee(results[3]),
    dryToken: dry?.address,
  }
}

// A claim that would revert has no estimate. The state from the same round trip has the reason in most cases.
function toRevertOrThrow(error: unknown): ClaimEstimate {
  const data = findRevertData(error)
  if (data === undefined) throw error
  return { gasLimit: undefined, revert: decodeRevert(data) }
}
