import type { Localnet } from '@agio/localnet'
import { keccak256, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, vi } from 'vitest'
import type { Caller } from '../harness/Caller.ts'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { openStream } from './openStream.ts'

const startOwn = () => startAgio({ finalityBlocks: 2, ownDatabase: true })

/** The address that transfers pay. */
export const receiver = '0x00000000000000000000000000000000000000a1'

type Sent = { readonly hash: Hex; readonly signed: Hex; readonly wallet: Awaited<ReturnType<typeof createWallet>> }

/** Starts a stack before the tests of a file, and stops it afterwards. Only transactions and the tests mine blocks. */
export function setUpStreams<Stack extends AgioStack = AgioStack>(start = startOwn as () => Promise<Stack>) {
  // Each part is there once the hooks have run.
  const running = {} as { localnet: Localnet; stack: Stack; owner: Owner }

  beforeAll(async () => {
    running.stack = await start()
    running.localnet = running.stack.localnet
    running.owner = connectOwner(running.localnet.chains[84532])
  })

  afterEach(() => running.stack.scenarios.reset())
  afterAll(async () => {
    await running.stack?.[Symbol.asyncDispose]()
    vi.restoreAllMocks()
  })

  const open = (topics: unknown, lastEventId?: string) => openStream(running.stack.url, { topics, apiKey, lastEventId })
  async function sign(fields: Partial<Unsigned> = {}, from?: Sent['wallet']): Promise<Sent> {
    const wallet = from ?? (await createWallet(running.localnet.chains[84532]))
    const empty = { to: receiver, data: '0x', value: '1', chainId: 84532, gasLimit: '21000' }
    // Each of its transactions has the same nonce.
    const call: Caller = async () => ({ status: 200, data: { nonce: 0 } })
    const signed = await wallet.sign(call, { ...empty, ...fields } as Unsigned)
    return { hash: keccak256(signed), signed, wallet }
  }

  async function send(fields?: Partial<Unsigned>, from?: Sent['wallet']): Promise<Sent> {
    const sent = await sign(fields, from)
    await running.owner.client.sendRawTransaction({ serializedTransaction: sent.signed })
    return sent
  }

  return Object.assign(running, { open, sign, send })
}
