import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import type { Address } from '@agio/core'
import { encodeFunctionData, erc20Abi, parseUnits } from 'viem'
import { expect } from 'vitest'
import type { Step } from '../../packages/sdk/src/index.ts'
import type { Decision, ProviderError, TestWallet } from '../../packages/sdk/src/testing.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { createFundedWallet } from '../harness/createFundedWallet.ts'
import { readBalance } from '../harness/readBalance.ts'
import { apiKey } from '../harness/settingsFor.ts'
import type { AgioStack } from '../harness/startAgio.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { connect } from '../harness/walletRequests.ts'
import { startConversion, type ConversionMessage } from './startConversion.ts'

const chainId = 84532

/** A conversion of 100 tokens of a new wallet, in processes that the test kills, and the wallet outside of them. */
export async function createKillableConversion(
  { localnet, url }: AgioStack,
  { from, to, approved = [], canBatch = false }: Payment,
) {
  const chain = localnet.chains[chainId]
  const [tokenIn, tokenOut] = [chain.tokens[from], chain.tokens[to]]
  const wallet = await createFundedWallet(localnet.chains, { chainId, holding: { [from]: '1000' }, canBatch })
  await connect(wallet)
  for (const args of approved) {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
    await wallet.request({ method: 'eth_sendTransaction', params: [{ from: wallet.address, to: tokenIn, data }] })
  }
  const asked = wallet.prompts.length
  const fromBlock = await connectOwner(chain).client.getBlockNumber({ cacheTime: 0 })
  const folder = await mkdtemp(join(tmpdir(), 'agio-steps-'))
  const served = await serveWallet(wallet)
  const stepFile = join(folder, 'step.json')
  const request = { chainId, tokenIn, tokenOut, amountIn: '100' } as const

  const countPayments = async () => {
    const { client } = connectOwner(chain)
    const event = erc20Abi.find((entry) => entry.name === 'Transfer')
    const logs = await client.getLogs({ address: tokenIn, event, args: { from: wallet.address }, fromBlock })
    return new Set(logs.map(({ transactionHash }) => transactionHash)).size
  }

  return {
    wallet,
    /** Starts a process that converts, from the stored step if there is one. */
    start: () => startConversion({ url, apiKey, walletUrl: served.url, stepFile, request }),
    /** Stores another step than the newest. */
    store: (step: Step) => writeFile(stepFile, JSON.stringify(step)),
    /** The methods of all prompts of the conversion. */
    listPrompts: () => wallet.prompts.slice(asked).map(({ method }) => method),
    /** Lets the wallet execute a prompt of the conversion, from 0, without responding. Resolves when it is executed. */
    holdPrompt: (index: number) => served.hold(asked + index + 1),
    /** Leaves a prompt of the conversion, from 0, open until the test answers it. The wallet does not respond to its request. */
    openPrompt(index: number): OpenPrompt {
      const { promise: decision, resolve: decide } = Promise.withResolvers<Decision>()
      const { promise: isShown, resolve: show } = Promise.withResolvers<void>()
      const isDone = served.hold(asked + index + 1)
      wallet.answer(() => {
        if (wallet.prompts.length !== asked + index + 1) return 'confirm'
        show()
        return decision
      })
      const answer = async (decided: Decision) => {
        decide(decided)
        await isDone
      }
      return { isShown, answer }
    },
    /** Counts the requests to the wallet by their method. */
    countRequests: (method: string) => served.methods.filter((requested) => requested === method).length,
    /** Mines a block after the deadline of the pending request, and waits until the service has seen it. */
    async passDeadline() {
      const { client } = connectOwner(chain)
      // A quote is valid from the later of the clock and the newest block.
      const { timestamp } = await client.getBlock()
      const from = Math.max(Number(timestamp), Math.floor(Date.now() / 1000))
      await client.setNextBlockTimestamp({ timestamp: BigInt(from + validForSeconds + 1) })
      await client.mine({ blocks: 1 })
      await waitForBlock(url, chain)
    },
    /** Asserts that a process has returned the receipt, and that there is one conversion on chain. */
    async expectOnce({ receipt, ...rest }: ConversionMessage) {
      expect({ receipt, ...rest }, JSON.stringify(rest)).toMatchObject({
        receipt: { status: 'success', amountIn: '100.000000' },
      })
      expect(await countPayments()).toBe(1)
      expect(await readBalance(chain, tokenIn, wallet.address)).toBe(parseUnits('900', 6))
      const received = await readBalance(chain, tokenOut, wallet.address)
      expect(received).toBe(parseUnits(receipt?.amountOut ?? '', 6))
    },
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}

// How long a quote is valid by default.
const validForSeconds = 60

/** How a token is paid for. */
export type Payment = {
  readonly from: 'tUSD' | 'tAUD' | 'tEUR'
  readonly to: 'tUSD' | 'tAUD' | 'tEUR'
  /** Allowances of the token that there are before, in raw units by spender. */
  readonly approved?: readonly (readonly [spender: Address, amountRaw: bigint])[]
  /** Whether the wallet sends batches. */
  readonly canBatch?: boolean
}

export type KillableConversion = Awaited<ReturnType<typeof createKillableConversion>>

export type OpenPrompt = {
  readonly isShown: Promise<void>
  /** Answers the prompt. Resolves when the wallet has executed it. */
  answer(decision: Decision): Promise<void>
}

/**
 * Serves a wallet to another process, as the extension of a browser serves a page: it outlives the process, and what its user
 * confirms is sent whether or not the process still exists.
 */
async function serveWallet(wallet: TestWallet) {
  const methods: string[] = []
  let held: Held | undefined

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = (await json(incoming)) as { readonly method: string; readonly params?: unknown }
    methods.push(request.method)
    const prompted = wallet.prompts.length
    const asking = wallet.request(request)
    const isHeld = wallet.prompts.length > prompted && wallet.prompts.length === held?.number
    const outcome = await asking.then(
      (result) => ({ result }),
      ({ code, message, data }: ProviderError) => ({ error: { code, message, data } }),
    )
    if (isHeld) held?.resolve()
    else response.end(JSON.stringify(outcome))
  }

  const server = createServer((incoming, response) => void respond(incoming, response))
  server.keepAliveTimeout = 65_000
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The methods of all requests, in order. */
    methods,
    /**
     * Executes the request of a prompt and never responds to it. Resolves when it is executed.
     *
     * @param number of the prompt among all of the wallet, from 1
     */
    hold: (number: number) => new Promise<void>((resolve) => (held = { number, resolve })),
    async [Symbol.asyncDispose]() {
      const closed = once(server.close(), 'close')
      server.closeAllConnections()
      await closed
    },
  }
}

type Held = { readonly number: number; readonly resolve: () => void }
