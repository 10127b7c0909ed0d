import { createChain, type Deployment, type SignedSwap, type TypedData } from '@agio/chain'
import { tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import { concatHex, type Hex, type TypedDataDefinition } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { onTestFinished } from 'vitest'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { startProxy, type Answer } from '../harness/startProxy.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { writeContract } from '../harness/writeContract.ts'

/** 100 whole tokens, which each signature of the tests pays. */
export const amountRaw = 100_000_000n

/** After every block of the tests. */
export const deadlineSeconds = 4_102_444_800n

/** Starts two local chains, and connects to the first without the service. Blocks come with transactions only. */
export async function startPermitStack() {
  await using starting = new AsyncDisposableStack()
  const localnet = starting.use(await startTestLocalnet({ blockIntervalMs: 3_600_000 }))
  const local = localnet.chains[84532]
  const chain = createChain({ deployment: local.deployment, urls: [local.rpcUrl] })
  starting.defer(() => chain.stop())
  const running = starting.move()
  const owner = connectOwner(local)
  return {
    localnet,
    local,
    chain,
    owner,
    /** A new account with some native currency, and a thousand of each token. */
    async createHolder(tokens: readonly Address[] = [local.tokens.tAUD]): Promise<Holder> {
      const account = privateKeyToAccount(generatePrivateKey())
      await owner.client.setBalance({ address: account.address, value: 10n ** 19n })
      for (const token of tokens) await mint(owner, { token, to: account.address })
      return {
        address: account.address,
        sign: (typedData) => account.signTypedData(typedData as unknown as TypedDataDefinition),
        delegate: (contract) =>
          owner.client.setCode({ address: account.address, bytecode: concatHex(['0xef0100', contract]) }),
      }
    },
    /** Connects to the first chain through a node of another kind, until the test ends. */
    async openThrough(answer?: Answer, changes?: Partial<Deployment>) {
      const proxy = await startProxy(local.rpcUrl)
      onTestFinished(() => proxy[Symbol.asyncDispose]())
      if (answer) proxy.setAnswer(answer)
      const opened = createChain({ deployment: { ...local.deployment, ...changes }, urls: [proxy.url] })
      onTestFinished(() => opened.stop())
      return { chain: opened, proxy }
    },
    /** A conversion of tAUD to tUSD for an exact input. */
    toSwap: (recipient: Address, changes?: Partial<Extract<SignedSwap, { mode: 'exact-in' }>>): SignedSwap => ({
      mode: 'exact-in',
      amountInRaw: amountRaw,
      minAmountOutRaw: 1n,
      tokenIn: local.tokens.tAUD,
      tokenOut: local.tokens.tUSD,
      recipient,
      deadlineSeconds,
      ...changes,
    }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export type PermitStack = Awaited<ReturnType<typeof startPermitStack>>

export type Holder = {
  readonly address: Address
  /** Signs data as it comes in JSON. */
  sign(typedData: TypedData): Promise<Hex>
  /** Sets the code of the account by EIP-7702. */
  delegate(contract: Address): Promise<void>
}

/** Gives an account a thousand whole tokens. */
async function mint(owner: Owner, { token, to }: { readonly token: Address; readonly to: Address }) {
  await writeContract(owner.client, {
    address: token,
    abi: tokenAbi,
    functionName: 'mint',
    args: [to, 1_000_000_000n],
  })
}
