import type { Address } from '@agio/core'
import { LRUCache } from 'lru-cache'
import { encodeFunctionData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { pausedCall } from '../account/tokenRefusal.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import { type Reader, readEach } from '../reader/createReader.ts'
import { findNumber } from '../reader/decodeResult.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { encodePermit, permitAbi, toPermitTypedData } from './permit.ts'
import { findDomain } from './findDomain.ts'
import { simulateCall } from './simulateCall.ts'
import { hashTyped, type PermitDomain } from './TypedData.ts'

/** The permits that a token accepts instead of an approval. */
export type TokenPermits = {
  /** The domain of its EIP-2612 permits; undefined if the token has no usable permits. */
  readonly domain: PermitDomain | undefined
  /** Whether the token is paused, and so accepts no permit now. This is not remembered. */
  readonly isPaused?: boolean
}

/**
 * Finds the permits that tokens accept instead of an approval. A token has usable permits if two checks pass. First,
 * `DOMAIN_SEPARATOR()` proves its domain. Second, `permit` accepts the signature of a new key, and rejects this signature
 * for another amount. Functions of the same name with other terms (DAI) do not pass. Nor do fallbacks that accept any call
 * (WETH).
 *
 * A result is valid for ten minutes, since most tokens can be upgraded. A token that is paused is read again each time.
 */
export function createTokenPermits({
  now = () => performance.now(),
  ...dependencies
}: createTokenPermits.Dependencies) {
  const readings = new LRUCache<Address, Promise<TokenPermits>>({ ...memory, perf: { now } })

  return {
    /** Returns the permits that a token accepts. @throws `svc/upstream-*` */
    async get(token: Address): Promise<TokenPermits> {
      const found = readings.get(token)
      if (found) return await found
      const reading = readTokenPermits(dependencies, token)
      readings.set(token, reading)
      const permits = await reading.catch((error: unknown) => ({ error }))
      const isKept = !('error' in permits) && permits.isPaused !== true
      if (!isKept && readings.peek(token) === reading) readings.delete(token)
      return 'error' in permits ? rethrowUpstream(permits.error) : permits
    },
    /** Forgets the tokens that were read. */
    forget: (): void => readings.clear(),
    /** Lists the tokens that were read. */
    list: (): readonly Address[] => [...readings.keys()],
  }
}

export declare namespace createTokenPermits {
  type Dependencies = {
    readonly rpc: Pick<Rpc, 'client' | 'read'>
    readonly reader: Pick<Reader, 'aggregate'>
    readonly chainId: number
    /** The spender of the permits. */
    readonly router: Address
    /** Milliseconds of the monotonic clock. */
    readonly now?: (() => number) | undefined
  }
}

/** Finds the permits that tokens accept instead of an approval. */
export type TokenPermitsFinder = ReturnType<typeof createTokenPermits>

// Of 100 tokens, for ten minutes.
const memory = { max: 100, ttl: 600_000, ttlResolution: 0 } as const

async function readTokenPermits(dependencies: createTokenPermits.Dependencies, token: Address): Promise<TokenPermits> {
  const signer = privateKeyToAccount(generatePrivateKey())
  const calls = [
    encodeFunctionData({ abi: permitAbi, functionName: 'DOMAIN_SEPARATOR' }),
    encodeFunctionData({ abi: permitAbi, functionName: 'eip712Domain' }),
    encodeFunctionData({ abi: permitAbi, functionName: 'name' }),
    encodeFunctionData({ abi: permitAbi, functionName: 'version' }),
    encodeFunctionData({ abi: permitAbi, functionName: 'nonces', args: [signer.address] }),
    pausedCall,
  ].map((data) => ({ target: token, data }))
  const [read] = await readEach([token], async () => [await dependencies.reader.aggregate(calls)])
  const [separator, reported, name, version, nonces, paused] = read?.results ?? []
  if (!separator || !reported || !name || !version) return none
  const domain = findDomain({ token, chainId: dependencies.chainId, separator, reported, name, version })
  const nonce = findNumber(nonces)
  if (!read || !domain || nonce === undefined) return none
  const terms = { domain, nonce, deadlineSeconds: read.timestampSeconds + probeSeconds }
  if (await acceptsPermits(dependencies, { token, signer, terms })) return { domain }
  return findNumber(paused) === 1n ? { ...none, isPaused: true } : none
}

const none: TokenPermits = { domain: undefined }

const probeSeconds = 3600n

/** Returns whether `permit` accepts the signed amount and rejects another amount. Both calls are only simulated. */
async function acceptsPermits(
  { rpc, router }: createTokenPermits.Dependencies,
  { token, signer, terms }: { readonly token: Address; readonly signer: Signer; readonly terms: Terms },
): Promise<boolean> {
  const owner = signer.address
  const typedData = toPermitTypedData({ ...terms, owner, spender: router, valueRaw: 1n })
  const signature = await signer.sign({ hash: hashTyped(typedData) })
  const isAccepted = async (amountRaw: bigint) => {
    const data = encodePermit({ owner, spender: router, amountRaw, ...terms, signature })
    return (await simulateCall(rpc, { from: owner, to: token, data })) === undefined
  }
  const [asSigned, altered] = await Promise.all([isAccepted(1n), isAccepted(2n)])
  return asSigned && !altered
}

type Signer = ReturnType<typeof privateKeyToAccount>

type Terms = { readonly domain: PermitDomain; readonly nonce: bigint; readonly deadlineSeconds: bigint }
