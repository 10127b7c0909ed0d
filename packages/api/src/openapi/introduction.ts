import { defaultChainId } from '@agio/core'

/** The introduction of the OpenAPI document, in Markdown. */
export const introduction = `Agio converts stablecoins through oracle-anchored pools. It is non-custodial: the service builds transactions, your wallet signs them.

## Flow

1. \`POST /api/v1/convert/preview\` returns what a conversion pays at the newest block, and a \`recommendedMinAmountOut\`; \`POST /api/v1/convert/ladder\` returns what many amounts pay.
2. \`POST /api/v1/approval/check\` returns whether the router may take the input token. If not, \`POST /api/v1/approval/build\` returns an approval to sign and send.
3. \`POST /api/v1/transaction/build/convert\` returns the unsigned conversion. \`issues\` lists a missing allowance, token balance or gas balance.
4. Set the nonce returned by \`GET /api/v1/transaction/nonce/{address}\`, then sign.
5. \`POST /api/v1/transaction/broadcast/convert\` sends the signed transaction, waits for its receipt and compares the result with the oracles' prices.
6. While the status is \`pending\`, poll \`POST /api/v1/transaction/track\` with the \`cursor\` of its last response: it also finds what replaced the transaction, a reorganisation, and when its block is final.
7. \`POST /api/v1/convert/receipt\` explains a mined conversion by its hash, also one that your wallet sent itself.

\`POST /api/v1/convert/quote\` fixes the terms of a conversion for a while, for an exact input or an exact output. Steps 3 and 5 take the quote in the place of tokens and amounts; what differs from it is refused before it is sent. A wallet that hands out no signature sends the \`transaction\` of step 3 by \`eth_sendTransaction\`, as it is.

**One signature instead of two transactions.** In the place of step 2, \`POST /api/v1/approval/plan\` returns what the wallet has to do, with a reason for its user: nothing, a signature, or an approval. Sign the \`typedData\` of a step by \`eth_signTypedData_v4\`, and send its \`permit\` with the \`signature\` to step 3: the conversion then carries it. A signature that would fail on chain is \`svc/invalid-permit\`, and the \`fallback\` of the step takes its place. A wallet that batches sends the \`calls\` of step 3 by \`wallet_sendCalls\`.

\`GET /api/v1/chains\` lists the networks with their routers and tokens. Test tokens come from \`POST /api/v1/faucet/build/claim-all\`. Amounts are decimal strings of whole tokens, for instance \`"1000.5"\`. Times are ISO 8601 in UTC, except \`deadline\`, which is Unix time in seconds. \`chainId\` is a JSON number; where it may be omitted, it is ${defaultChainId}. \`HEAD\` works wherever \`GET\` does, and counts as one call too.

Each operation also exists over tRPC, by the name in \`x-procedure\`. Metrics and the usage of a key have that name too.

## Keys

Each request needs an API key in the header \`X-API-Key\`; \`admin/*\` needs the admin key in \`X-Admin-Key\`. A local stack (\`pnpm start\`) has fixed keys: \`local-key\` and \`local-admin-key\`. The examples of this document use its addresses, which are the same at each start.

Limits are per key. \`RateLimit-Policy\` returns the limits, \`RateLimit\` what is left of them.

## Errors

An error has \`"success": false\`, a stable \`code\` such as \`svc/stale-price\`, whether the same request is \`retryable\`, and the \`action\` to take next. Handle errors by their \`code\`; messages may change. \`429\` and \`503\` have the header \`Retry-After\`. All codes are listed at [/docs/errors](/docs/errors).
`

/** The contact of the document: keys and help come from the operator. */
export const contact = { name: 'The operator of this service' }

export const license = { name: 'MIT', identifier: 'MIT' }

/** The tags of operations, in the order of the documentation. */
export const tags = [
  { name: 'Chains', description: 'Networks with their contracts and tokens' },
  { name: 'Convert', description: 'Preview conversions' },
  { name: 'Approval', description: 'Plan, check, build and revoke allowances' },
  { name: 'Transaction', description: 'Build, broadcast and follow transactions' },
  { name: 'Pools', description: 'Pools of a network' },
  { name: 'Oracle', description: 'Prices of tokens' },
  { name: 'Liquidity', description: 'Preview deposits and withdrawals' },
  { name: 'Faucet', description: 'Test tokens' },
  { name: 'Usage', description: 'Usage of the API key' },
  { name: 'Stream', description: 'Changes as Server-Sent Events' },
  { name: 'Webhooks', description: 'Deliver what becomes of transactions and markets' },
  { name: 'Health', description: 'State of the service' },
  { name: 'Admin', description: 'Keys, usage and quotes, for operators' },
  { name: 'Swap', description: 'Deprecated names of conversions' },
] as const
