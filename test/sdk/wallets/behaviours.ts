import type { Behaviour, Sent } from './createActor.ts'

const never = () => new Promise<never>(() => {})
const batchId = ({ batchId: id }: Sent) => (id === undefined ? undefined : { id })

/** The wallets that users have, by what differs between them. */
export const behaviours: readonly (Behaviour & { readonly name: string })[] = [
  { name: 'a Safe whose owner executes later', account: 'safe', delayReads: 12, answer: ({ opHash }) => opHash },
  { name: 'a Safe whose second owner signs later', account: 'safe', delayReads: 40, answer: ({ opHash }) => opHash },
  {
    name: 'an ERC-4337 account behind a bundler that packs calldata',
    account: 'counterfactual',
    isPacked: true,
    delayReads: 12,
    answer: ({ opHash }) => opHash,
  },
  {
    name: 'an EIP-7702 account whose relay sends a batch',
    account: 'delegated',
    delayReads: 12,
    answer: (sent) => batchId(sent) ?? sent.opHash,
    status: (hash) => ({ status: hash ? 200 : 100, receipts: [] }),
  },
  {
    name: "Base's account",
    account: 'code',
    status: (hash) => ({ status: 200, receipts: [{ transactionHash: hash, status: '0x1' }] }),
  },
  { name: 'a phone that sends and never answers', account: 'key', answer: never },
  { name: 'a relayer with a queue', account: 'code', delayReads: 12, answer: () => crypto.randomUUID() },
  { name: 'a custody wallet', account: 'key', delayReads: 12, answer: () => ({ id: 7, status: 'QUEUED' }) },
]
