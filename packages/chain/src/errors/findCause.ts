import { BaseError, RpcRequestError, TimeoutError } from 'viem'

/**
 * What nodes say, by cause: geth, op-geth, Nitro, Erigon, reth, Nethermind, Besu, Hardhat, anvil, and providers in front of
 * them. Nodes share no codes, and one node quotes another. So the words of an error are searched before its code, and in
 * the order of this table. What the table does not contain is unknown, which is safe: an unknown error is never final.
 */
const causes = [
  { cause: 'gas', words: 'out of gas|outofgas|gas required exceeds' },
  { cause: 'reverted', words: 'execution reverted|vm exception|reverted without a reason' },
  {
    cause: 'known',
    words:
      'already known|known transaction|already imported|already in mempool|already exists in cache|existing tx with same hash',
  },
  {
    // EIP-7702: nodes take one pending transaction at a time from an account with code.
    cause: 'delegated',
    words: 'delegated accounts?|authority already reserved|delegator has pending tx|not current nonce for delegation',
  },
  {
    cause: 'nonce-used',
    words: 'nonce too low|nonce is too low|old nonce|invalid transaction nonce|own nonce already used',
  },
  { cause: 'nonce-gap', words: 'nonce too high|nonce gap|nonce is too high|correct nonce|incorrect nonce' },
  {
    cause: 'underpriced',
    words:
      'underpriced|replacement not allowed|replacement gas too low|fee too low|fee too low to compete|gas price too low|gas price is too low|gas price below|max fee per gas less than|max fee per gas too low|max fee per gas is too low|fee cap less than|minimum needed',
  },
  {
    cause: 'funds',
    words:
      'insufficient funds for (gas|transfer|value|l fee)|insufficient funds account|insufficient funds the account|insufficient funds(?= $)|enough funds|upfront cost exceeds|insufficient balance for|enough balance to cover|cause overdraft|lack of funds|insufficient account balance',
  },
  { cause: 'intrinsic-gas', words: 'intrinsic gas|floor data gas' },
  {
    cause: 'block-gas-limit',
    words:
      'exceeds block gas limit|gas limit exceeded gas limit|gas limit too high|gas limit is too high|exceeds transaction gas cap',
  },
  { cause: 'execution', words: 'invalid opcode|invalid jump|stack underflow|stack overflow|gas uint overflow' },
  {
    cause: 'form',
    words:
      'invalid signature(?= $)|invalid sender|invalid chain id(?= $)|invalid chain id for signer|wrong chain id(?= $)|rlp (expected|value|element|input)|transaction type not supported|higher than max fee per gas|oversized data|exceeds the configured cap|max initcode size exceeded',
  },
  {
    cause: 'rate',
    words:
      'rate limit|rate limited|rate exceeded|too many requests|request limit|requests limit|requests per second|per second capacity|quota',
    codes: [429, -32005, -32007, -32011, -32016, -32029, -32090],
  },
  {
    cause: 'state',
    words:
      'block|blocks|header|headers|state|trie|pruned|historical|history|ancient|resource not found|not found|unknown hash|unfinalized',
  },
] as const satisfies readonly Entry[]

type Entry = { readonly cause: string; readonly words: string; readonly codes?: readonly number[] }

/** Why a node did not do what it was asked, as its words and its code tell. */
export type Cause = (typeof causes)[number]['cause']

const table: readonly (Entry & { readonly cause: Cause; readonly pattern: RegExp })[] = causes.map((entry) => ({
  ...entry,
  pattern: new RegExp(` (${entry.words}) `),
}))

/** Returns the cause of a node's JSON-RPC error; undefined if it is unknown, or if the node did not answer in JSON-RPC. */
export function findCause(error: unknown): Cause | undefined {
  const answer = findRpcError(error)
  if (!answer) return undefined
  const words = toWords(answer)
  // A missing method or parameter is not a missing block.
  const isOfRequest = answer.code === -32601 || / (method|overrides?) /.test(words)
  const found = table.find(({ cause, pattern }) => pattern.test(words) && !(cause === 'state' && isOfRequest))
  return (found ?? table.find(({ codes }) => codes?.includes(answer.code)))?.cause
}

/** Returns the JSON-RPC error that a node returned; undefined if the node did not answer, or not in JSON-RPC. */
export function findRpcError(error: unknown): RpcRequestError | undefined {
  if (!(error instanceof BaseError) || error.walk((cause) => cause instanceof TimeoutError)) return undefined
  const found = error.walk((cause) => cause instanceof RpcRequestError)
  return found instanceof RpcRequestError ? found : undefined
}

// What an error quotes may be long.
const maxTextLength = 4000

/** Returns the words of an error, and of the error that it quotes: `OldNonce`, `old-nonce` and `old nonce 3` are ` old nonce `. */
function toWords({ details, data }: RpcRequestError): string {
  const text = data === undefined ? details : `${details} ${JSON.stringify(data)}`
  const words = text
    .slice(0, maxTextLength)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
  return ` ${words.join(' ')} `
}
