/** The scopes of API keys: what each lets a key do, and which keys have it without a choice of scopes. */
const scopes = {
  read: {
    meaning: 'Read chains, pools, prices, market hours, transactions and receipts, preview and quote, open streams',
    of: 'every key',
  },
  build: { meaning: 'Plan and build approvals, conversions and replacements', of: 'secret keys' },
  broadcast: { meaning: 'Broadcast signed transactions', of: 'secret keys' },
  webhooks: { meaning: 'Manage the webhooks of the key, and read their deliveries', of: 'secret keys' },
  usage: { meaning: 'Read the usage of the key', of: 'secret keys' },
  faucet: { meaning: 'Read the faucet, and build claims of test tokens', of: 'secret keys' },
  // A stolen secret with this scope can replace the secret of the owner.
  rotate: { meaning: 'Replace the secret of the key', of: 'keys that name it' },
} as const satisfies Record<string, { meaning: string; of: 'every key' | 'secret keys' | 'keys that name it' }>

/** A part of the API that a key may use. */
export type Scope = keyof typeof scopes

/** All scopes. A key without stored scopes has all of them. */
export const names = Object.keys(scopes) as readonly Scope[]

/** The scopes of every publishable key. */
export const publishable: readonly Scope[] = names.filter((name) => scopes[name].of === 'every key')

/** The default scopes of a new secret key. */
export const ofNewKey: readonly Scope[] = names.filter((name) => scopes[name].of !== 'keys that name it')

/** Returns one sentence for each scope, with its meaning. */
export function formatMeanings(): string {
  return names.map((name) => `\`${name}\`: ${scopes[name].meaning}`).join('. ')
}
