import { isObject } from '@agio/core'

/** The fields of requests whose values the request log contains. Any other field is absent, or redacted if its name is known. */
export const loggedFields: ReadonlySet<string> = new Set(
  list(`
    address amount amountIn amountOut amounts before burstPerSecond chainId code deadline deliveryId events
    expectedAmountOut expiresAt from id isCidrDryRun isUnlimited keyId kind limit limits lpAmount maxAmountIn minAmountOut month monthlyQuota nonce
    operation operator options overlapSeconds ownerAddress page permit poolAddress prefer recipient requestId requests requiredAmount
    scenario scopes slippageBps spenderAddress status steps streams target tier to tokenA tokenAddress tokenB tokenIn tokenOut topic topics
    transactionHash unlimited userAddress validForSeconds value windowSeconds
  `),
)

/** The fields of requests whose values may be secret or personal, or are too long. The log says only that they were sent. */
export const redactedFields: ReadonlySet<string> = new Set(
  list(
    'allowedCidrs allowedOrigins clientReference company cursor email expectedVolume lastEventId name quote signature signedTransaction url useCase',
  ),
)

const redacted = '[redacted]'
const tooLong = '[too long]'
const maxLength = 4000
const maxItems = 20
const maxDepth = 4

/**
 * Returns the input of a call as JSON text for the request log, at most about 4,000 characters long. Returns undefined if no
 * input was read.
 */
export function toLoggedInput(input: unknown): string | undefined {
  if (!isObject(input)) return undefined
  const fields: string[] = []
  let length = 2
  for (const [name, value] of listFields(input)) {
    const text = JSON.stringify(toLogged(name, value, 1))
    const field = `${JSON.stringify(name)}:${length + text.length > maxLength ? JSON.stringify(tooLong) : text}`
    fields.push(field)
    length += field.length + 1
  }
  return `{${fields.join(',')}}`
}

/** Lists the fields that the log has. The names of other fields may be anything. */
function listFields(input: object): readonly (readonly [string, unknown])[] {
  return Object.entries(input).filter(([name]) => loggedFields.has(name) || redactedFields.has(name))
}

function toLogged(name: string, value: unknown, depth: number): unknown {
  if (redactedFields.has(name)) return redacted
  if (typeof value === 'string') return toLoggedText(name, value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) return tooLong
  if (Array.isArray(value)) {
    const items = value.slice(0, maxItems).map((item: unknown) => toLogged(name, item, depth + 1))
    return value.length > maxItems ? [...items, tooLong] : items
  }
  return Object.fromEntries(
    listFields(value).map(([inner, innerValue]) => [inner, toLogged(inner, innerValue, depth + 1)]),
  )
}

// Amounts, addresses, hashes, ids, names, codes and times. No text of a person, no e-mail address and no URL matches.
const plainText = /^(svc\/[\w-]{1,60}|[\w.:+-]{0,80})$/
// Secrets of keys and webhooks.
const secretPrefix = /^(agio|whsec)_/i
// A private key is as long as the hash of a transaction.
const longHex = /^(0x)?[0-9a-f]{64}$/i

/** Returns a text, unless a client may have sent something else in its field, such as a secret. */
function toLoggedText(name: string, text: string): string {
  if (!plainText.test(text) || secretPrefix.test(text)) return redacted
  return longHex.test(text) && name !== 'transactionHash' ? redacted : text
}

function list(names: string): readonly string[] {
  return names.trim().split(/\s+/)
}
