import { keccak256 } from 'viem'
import { createTrader } from '../harness/createTrader.ts'
import type { Unsigned } from '../harness/createWallet.ts'
import { readBalance } from '../harness/readBalance.ts'
import type { AgioStack } from '../harness/startAgio.ts'
import { connectAgent, type connectClient, type Fields } from './connectAgent.ts'
import { ScriptedAgent } from './ScriptedAgent.ts'

const request = { amountIn: '100', from: 'tAUD', to: 'tUSD' }

/** Creates a scripted agent. Its user holds 1,000 tAUD, has no approvals, and wants to convert 100 tAUD to tUSD. */
export async function createAgent(
  agio: AgioStack,
  { wait = neverWait, ...options }: createAgent.Options,
): Promise<Agent> {
  const chain = agio.chains[84532]
  const wallet = await createTrader(chain, { symbol: 'tAUD', amount: '1000', approved: '0' })
  const client = await connectAgent(agio.url, options)
  const agent = new ScriptedAgent(client, {
    request,
    wait,
    wallet: {
      ...wallet,
      async sign({ calls, gasLimit, chainId }) {
        const [call, ...others] = calls as readonly Unsigned[]
        if (!call || others.length > 0) throw new Error('The permit has not replaced the approval')
        const unsigned = { ...call, value: '0', gasLimit: String(gasLimit), chainId: Number(chainId) }
        const signedTransaction = await wallet.sign(agio.callers.REST, unsigned)
        return { signedTransaction, transactionHash: keccak256(signedTransaction) }
      },
    },
  })
  return {
    agent,
    readPaid: async () => 1_000_000_000n - (await readBalance(chain, chain.tokens.tAUD, wallet.address)),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  }
}

export declare namespace createAgent {
  type Options = connectClient.Options & {
    /** Waits as an error says. Default: an agent that has to wait fails. */
    readonly wait?: (error: Fields) => Promise<void>
  }
}

/** An agent, and what its user has paid in raw units. */
export type Agent = AsyncDisposable & { readonly agent: ScriptedAgent; readPaid(): Promise<bigint> }

/** Returns a `fetch` that loses the answer to the first broadcast, before or after the service has received it. */
export function loseBroadcast(when: 'before' | 'after'): typeof globalThis.fetch {
  let isLost = false
  return async (input, init) => {
    const isBroadcast = !isLost && typeof init?.body === 'string' && init.body.includes('"broadcast_signed"')
    if (!isBroadcast) return await fetch(input, init)
    isLost = true
    if (when === 'after') await (await fetch(input, init)).text()
    throw new TypeError('The connection was lost')
  }
}

async function neverWait({ code }: Fields): Promise<never> {
  throw new Error(`The agent has to wait for ${String(code)}`)
}
