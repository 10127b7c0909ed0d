import { isObject } from '@agio/core'
import { RpcRequestError } from 'viem'
import { classifyError } from '../errors/classifyError.ts'
import type { NodeLink, RpcRequest } from '../transport/NodeLink.ts'

/**
 * Returns a link that reads the state of a block by its hash, also from a node that takes only numbers of blocks (before
 * EIP-1898). At such a node the block of the number must have the hash before and after the read.
 */
export function toHashLink(link: NodeLink): NodeLink {
  return {
    async request(request) {
      const hash = findHash(request)
      if (hash === undefined) return await link.request(request)
      const { needsNumbers = false, untilMs = 0 } = known.get(link) ?? {}
      const isKnown = performance.now() < untilMs
      if (isKnown && needsNumbers) return await requestAtNumber(link, request, hash)
      try {
        return await link.request(request)
      } catch (error) {
        if (isKnown || !mayLackHashes(error, request)) throw error
        return await tryAtNumber(link, { request, hash, error })
      }
    },
  }
}

// Which nodes take only numbers of blocks, and until when that is not tried again.
const known = new WeakMap<NodeLink, { readonly needsNumbers: boolean; readonly untilMs: number }>()

// A node may be updated. If numbers did not help either, the block may have been missing.
const [neededForMs, uselessForMs] = [600_000, 1000]

type Attempt = { readonly request: RpcRequest; readonly hash: string; readonly error: unknown }

async function tryAtNumber(link: NodeLink, { request, hash, error }: Attempt): Promise<unknown> {
  const remember = (needsNumbers: boolean) =>
    known.set(link, { needsNumbers, untilMs: performance.now() + (needsNumbers ? neededForMs : uselessForMs) })
  try {
    const result = await requestAtNumber(link, request, hash)
    remember(true)
    return result
  } catch (failure) {
    const { isCallError } = classifyError(failure, request.method)
    remember(isCallError)
    throw isCallError ? failure : error
  }
}

async function requestAtNumber(link: NodeLink, request: RpcRequest, hash: string): Promise<unknown> {
  const [call, , ...others] = request.params as readonly unknown[]
  const number = await readField(link, { method: 'eth_getBlockByHash', params: [hash, false] }, 'number')
  const assertCanonical = async () => {
    const found = await readField(link, { method: 'eth_getBlockByNumber', params: [number, false] }, 'hash')
    if (found !== hash) throw notFound(request)
  }
  await assertCanonical()
  const result = await link.request({ ...request, params: [call, number, ...others] })
  await assertCanonical()
  return result
}

async function readField(link: NodeLink, request: RpcRequest, field: string): Promise<string> {
  const block = await link.request(request)
  const value = isObject(block) ? block[field] : undefined
  if (typeof value !== 'string') throw notFound(request)
  return value
}

function notFound(body: RpcRequest): RpcRequestError {
  return new RpcRequestError({ body, error: { code: -32_000, message: 'header not found' }, url: '' })
}

/** Returns the hash of the block of a call; undefined for any other request. */
function findHash({ method, params }: RpcRequest): string | undefined {
  const block: unknown = method === 'eth_call' && Array.isArray(params) ? params[1] : undefined
  const hash = isObject(block) ? block['blockHash'] : undefined
  return typeof hash === 'string' ? hash : undefined
}

// The codes of an invalid request and of invalid parameters, which nodes explain in their own words.
const requestErrors = new Set([-32_600, -32_602, -32_700])

/** Returns whether an error may mean that a node does not take a hash. A missing block or a rate limit does not. */
function mayLackHashes(error: unknown, { method }: RpcRequest): boolean {
  if (error instanceof RpcRequestError && requestErrors.has(error.code)) return true
  const { isAnswer, isCallError, lacksState } = classifyError(error, method)
  return isAnswer && !isCallError && !lacksState
}
