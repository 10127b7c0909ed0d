import type { Address } from '@agio/core'
import {
  createWalletClient,
  erc20Abi,
  hexToBytes,
  http,
  keccak256,
  maxUint256,
  numberToHex,
  parseAbi,
  encodeFunctionData,
  toHex,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Eip1193Provider } from '../../../packages/sdk/src/index.ts'
import { createTestWallet } from '../../../packages/sdk/src/testing.ts'
import { connectOwner } from '../../harness/connectOwner.ts'
import { fund } from '../../harness/createHolder.ts'
import { executeBy, sendAs, type Call } from '../../harness/swaps.ts'
import { waitForSuccess, writeContract } from '../../harness/writeContract.ts'
import type { SdkStack } from '../startSdkStack.ts'

/** How a wallet acts: what its account is, when it sends what the user confirmed, and what it answers. */
export type Behaviour = {
  /**
   * `key` has no code and sends by itself. Any other sender executes for the rest: a Safe for its owner, an account `code` for a
   * bundler. `counterfactual` gets its code with its first call, and `delegated` by EIP-7702.
   */
  readonly account: 'key' | 'safe' | 'code' | 'counterfactual' | 'delegated'
  /** Whether the bundler packs the calldata. */
  readonly isPacked?: boolean
  /** Whether the account has approved tAUD for the router. */
  readonly isApproved?: boolean
  /** What the account has approved instead. */
  readonly approved?: { readonly token: Address; readonly spender: Address }
  /** Whether the wallet forgets what a prompt has asked, by the number of the prompt. */
  readonly forgets?: (prompt: number) => boolean
  /** Reads of the client between a request and its execution. Default: 0, which executes before the answer. */
  readonly delayReads?: number
  /** Answers a request for a transaction or a batch. Default: the hash, or the id of the batch. */
  readonly answer?: (sent: Sent) => unknown
  /** Answers a request for a signature instead of the account. */
  readonly sign?: () => Promise<unknown>
  /** Answers `wallet_getCallsStatus`. Without it, the wallet has no batches. */
  readonly status?: (hash: Hex | undefined) => unknown
  /** A call that the wallet adds to each execution, such as the fee of a paymaster. */
  readonly extraCall?: Call
  /** Capabilities besides atomic calls. */
  readonly capabilities?: object
  /** Answers a request that does not prompt, instead of the wallet and its node. */
  readonly read?: (args: Request, pass: () => Promise<unknown>, actor: Actor) => unknown
}

/** A request that a wallet has taken. */
export type Sent = {
  /** 32 bytes that no node knows: the hash of a proposal, or of a user operation. */
  readonly opHash: Hex
  /** The hash, if the transaction is mined already. */
  readonly hash: Hex | undefined
  /** The id of a batch. */
  readonly batchId?: string
}

export type Request = { readonly method: string; readonly params?: unknown }

/** A wallet that acts as described, and what happens in it. */
export type Actor = {
  readonly wallet: Eip1193Provider
  readonly address: Address
  /** The prompts, oldest first. */
  readonly prompts: readonly Request[]
  /** All reads, oldest first. */
  readonly reads: readonly Request[]
  /** Counts a read of a client, also of the service. */
  countRead(): Promise<void>
  /** Returns whether the wallet has taken a request that it has not executed. */
  isHolding(): boolean
  /** Executes calls of the account, as the wallet does. */
  execute(calls: readonly Call[]): Promise<Hex>
  /** Executes what the wallet has taken and not executed yet. What can no longer succeed reverts. */
  deliver(): Promise<void>
  /** Called for each prompt that the wallet has taken, before it answers. */
  onPrompt: (count: number) => void
  /** Called for each read, with their number since the last prompt or execution. */
  onRead: (count: number) => Promise<void> | void
}

const prompting = /^(eth_sendTransaction|wallet_sendCalls|eth_signTypedData_v4)$/

/** Creates a wallet with a new account that holds 100 of each token. */
export async function createActor({ chain }: SdkStack, behaviour: Behaviour): Promise<Actor> {
  const { chainId } = chain
  const privateKey = generatePrivateKey()
  const signer = createTestWallet({ privateKey, chainId, rpcUrls: { [chainId]: chain.rpcUrl } })
  const { address, execute } = await openAccount(chain, behaviour, privateKey)
  await fund(chain, address, { tAUD: '100', tUSD: '100', tEUR: '100' })
  const router = { token: chain.tokens.tAUD, spender: chain.deployment.router }
  const approved = behaviour.approved ?? (behaviour.isApproved ? router : undefined)
  if (approved) {
    const approval = { abi: erc20Abi, functionName: 'approve', args: [approved.spender, maxUint256] } as const
    await writeContract(connectOwner(chain).client, { address: approved.token, account: address, ...approval })
  }
  const [prompts, reads, held]: [Request[], Request[], (readonly Call[])[]] = [[], [], []]
  const batches = new Map<string, Hex | undefined>()
  const { delayReads = 0, answer = ({ batchId, hash }) => (batchId ? { id: batchId } : hash) } = behaviour
  let idleReads = 0

  async function take(calls: readonly Call[], batchId?: string): Promise<unknown> {
    const isTaken = !behaviour.forgets?.(prompts.length)
    if (isTaken) held.push(calls)
    if (isTaken && batchId) batches.set(batchId, undefined)
    const opHash = keccak256(toHex(JSON.stringify([calls, prompts.length])))
    const hash = delayReads === 0 ? await deliver() : undefined
    actor.onPrompt(prompts.length)
    return await answer({ opHash, hash, ...(batchId && { batchId }) })
  }

  async function deliver(): Promise<Hex | undefined> {
    let hash: Hex | undefined
    for (let calls = held.shift(); calls; calls = held.shift()) {
      hash = await execute(behaviour.extraCall ? [...calls, behaviour.extraCall] : calls).catch(() => undefined)
      for (const id of batches.keys()) batches.set(id, hash)
      idleReads = 0
    }
    return hash
  }

  async function prompt({ method, params }: Request): Promise<unknown> {
    idleReads = 0
    prompts.push({ method, params })
    const [first, second] = params as readonly [SentFields & BatchFields, unknown]
    if (method === 'eth_sendTransaction') return await take([toCall(first)])
    if (method === 'wallet_sendCalls') return await take(first.calls.map(toCall), first.id)
    actor.onPrompt(prompts.length)
    if (behaviour.sign) return behaviour.sign()
    return await signer.request({ method, params: [signer.address, second] })
  }

  async function read(args: Request): Promise<unknown> {
    const { method, params } = args
    if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [address]
    if (method === 'wallet_getCallsStatus' && behaviour.status) {
      const [id] = params as readonly [string]
      if (!batches.has(id)) throw rpcError(5730, 'Unknown bundle id')
      return await behaviour.status(batches.get(id))
    }
    if (method === 'wallet_getCapabilities' && behaviour.status) {
      return { [numberToHex(chainId)]: { atomic: { status: 'supported' }, ...behaviour.capabilities } }
    }
    return await signer.request(args)
  }

  const actor: Actor = {
    address,
    prompts,
    reads,
    onPrompt: () => {},
    onRead: () => {},
    async countRead() {
      idleReads++
      if (held.length > 0 && idleReads >= delayReads) await deliver()
      await actor.onRead(idleReads)
    },
    isHolding: () => held.length > 0,
    execute,
    deliver: async () => void (await deliver()),
    wallet: {
      async request(args) {
        if (prompting.test(args.method)) return await prompt(args)
        reads.push(args)
        await actor.countRead()
        const pass = () => read(args)
        return behaviour.read ? await behaviour.read(args, pass, actor) : await pass()
      },
    },
  }
  return actor
}

type SentFields = { readonly to: Address; readonly data: Hex }
type BatchFields = { readonly id: string; readonly calls: readonly SentFields[] }

const toCall = ({ to, data }: SentFields): Call => ({ target: to, data })

/** An error of a wallet. */
export function rpcError(code: unknown, message: string, fields: object = {}): Error {
  return Object.assign(new Error(message), { ...(code !== undefined && { code }), ...fields })
}

type OpenAccount = { readonly address: Address; readonly execute: (calls: readonly Call[]) => Promise<Hex> }

const bundlerAbi = parseAbi(['function execute(address account, bytes packed)'])

/** Opens the account of a wallet, and returns how others execute its calls. */
async function openAccount(
  chain: SdkStack['chain'],
  { account, isPacked }: Behaviour,
  privateKey: Hex,
): Promise<OpenAccount> {
  const { client, deploy } = connectOwner(chain)
  const owner = privateKeyToAccount(privateKey)
  const sender = privateKeyToAccount(generatePrivateKey())
  for (const { address } of [owner, sender]) await client.setBalance({ address, value: 10n ** 19n })
  if (account === 'key') {
    const execute = async ([call]: readonly Call[]) => await sendAs(chain, owner.address, call as Call)
    return { address: owner.address, execute }
  }
  if (account === 'safe') {
    const address = await deploy('testing/OwnedAccount', [owner.address])
    return { address, execute: (calls) => sendAs(chain, owner.address, executeBy(address, calls)) }
  }
  const code = await deploy('testing/BatchAccount', [])
  if (account === 'delegated') return { address: owner.address, execute: (calls) => delegate(calls) }
  const address = account === 'code' ? code : privateKeyToAccount(generatePrivateKey()).address
  const bundler = isPacked ? await deploy('testing/PackingBundler', []) : undefined
  return {
    address,
    async execute(calls) {
      if (account === 'counterfactual') {
        await client.setCode({ address, bytecode: (await client.getCode({ address: code })) ?? '0x' })
      }
      const call = executeBy(address, calls)
      return await sendAs(chain, sender.address, bundler ? pack(bundler, call) : call)
    },
  }

  /** Sends for the account, and gives it its code in the same transaction. */
  async function delegate(calls: readonly Call[]): Promise<Hex> {
    const { target: to, data } = executeBy(owner.address, calls)
    const wallet = createWalletClient({ account: sender, transport: http(chain.rpcUrl) })
    const nonce = await client.getTransactionCount({ address: owner.address })
    const authorization = await owner.signAuthorization({ address: code, chainId: chain.chainId, nonce })
    const sending = { to, data, gas: 1_000_000n, authorizationList: [authorization], chain: null } as const
    return (await waitForSuccess(client, await wallet.sendTransaction(sending))).transactionHash
  }
}

function pack(bundler: Address, { target, data }: Call): Call {
  const packed = toHex(hexToBytes(data).map((byte) => byte ^ 0xff))
  return {
    target: bundler,
    data: encodeFunctionData({ abi: bundlerAbi, functionName: 'execute', args: [target, packed] }),
  }
}
