/** The scopes of API keys: what each lets a key do, and whether a publishable key has it. */
const scopes = {
  read: {
    meaning: 'Read chains, pools, prices, market hours, transactions and receipts, preview and quote, open streams',
    isPublishable: true,
  },
  build: { meaning: 'Plan and build approvals, conversions and replacements', isPublishable: false },
  broadcast: { meaning: 'Broadcast signed transactions', isPublishable: false },
  webhooks: { meaning: 'Manage the webhooks of the key, and read their deliveries', isPublishable: false },
  usage: { meaning: 'Read the usage of the key', isPublishable: false },
  faucet: { meaning: 'Read the faucet, and build claims of test tokens', isPublishable: false },
  rotate: { meaning: 'Replace the secret of the key', isPublishable: false },
} as const satisfies Record<string, { readonly meaning: string; readonly isPublishable: boolean }>

/** A part of the API that a key may use. */
export type Scope = keyof typeof scopes

/** All scopes. A key without stored scopes has all of them. */
export const names = Object.keys(scopes) as readonly Scope[]

/** The scopes of every publishable key. */
export const publishable: readonly Scope[] = names.filter((name) => scopes[name].isPublishable)

/** Returns one sentence for each scope, with its meaning. */
export function formatMeanings(): string {
  return names.map((name) => `\`${name}\`: ${scopes[name].meaning}`).join('. ')
}
