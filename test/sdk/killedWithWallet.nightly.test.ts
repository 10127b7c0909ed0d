import type { Hex } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { startAgio } from '../harness/startAgio.ts'
import { setUp } from '../harness/setUp.ts'
import { createKillableConversion, type KillableConversion, type OpenPrompt } from './killableConversion.ts'
import { waysToPay } from './waysToPay.ts'

const stack = setUp(startAgio)

const getClient = () => connectOwner(stack.localnet.chains[84532]).client

async function mine(): Promise<void> {
  await getClient().setAutomine(true)
  await getClient().mine({ blocks: 1 })
}

describe.each(waysToPay)('a conversion that is paid for by $name', ({ toPayment, prompts }) => {
  const create = () => createKillableConversion(stack, toPayment(stack.localnet.chains[84532].deployment))
  const isSignature = (method: string) => method === 'eth_signTypedData_v4'
  const signatures = prompts.filter(isSignature)
  const sending = prompts.flatMap((method, index) => (isSignature(method) ? [] : [[index, method] as const]))
  const last = prompts.length - 1

  it.each(sending)(
    'is made once when its process is killed between what prompt %i, %s, has sent and the response of the wallet',
    async (index) => {
      await using conversion = await create()
      const isSent = conversion.holdPrompt(index)
      await killWhen(conversion, isSent)
      await conversion.expectOnce(await conversion.start().finish())
      expect(conversion.listPrompts()).toEqual(prompts)
    },
  )

  it.each(sending)('is made once when its process is killed before the user confirms prompt %i, %s', async (index) => {
    await using conversion = await create()
    const prompt = await killAtPrompt(conversion, index)
    await prompt.answer('confirm')
    await conversion.expectOnce(await conversion.start().finish())
    expect(conversion.listPrompts()).toEqual(prompts)
  })

  it.each(sending)(
    'is made once when what prompt %i, %s, has sent for a killed process is mined while another one resumes',
    async (index) => {
      await using conversion = await create()
      const prompt = await killAtPrompt(conversion, index)
      await getClient().setAutomine(false)
      await prompt.answer('confirm')
      await conversion.expectOnce(await finishAfter(conversion, mine))
      expect(conversion.listPrompts()).toEqual(prompts)
    },
  )

  it('is made once when the user confirms the last prompt of a killed process while another one resumes', async () => {
    await using conversion = await create()
    const prompt = await killAtPrompt(conversion, last)
    await conversion.expectOnce(await finishAfter(conversion, () => prompt.answer('confirm')))
    expect(conversion.listPrompts()).toEqual(prompts)
  })

  it('is made once when the user refuses the last prompt of a killed process: it is asked again after its deadline', async () => {
    await using conversion = await create()
    const prompt = await killAtPrompt(conversion, last)
    await prompt.answer('reject')
    await conversion.passDeadline()
    await conversion.expectOnce(await conversion.start().finish())
    // A signature and its conversion have the same deadline.
    expect(conversion.listPrompts()).toEqual([...prompts, ...signatures, prompts[last]])
  })

  it('is made once when the user confirms the last prompt of a killed process after its deadline: it reverts', async () => {
    await using conversion = await create()
    const prompt = await killAtPrompt(conversion, last)
    await conversion.passDeadline()
    const killed = conversion.start()
    await conversion.expectOnce(await killed.finish())
    await prompt.answer('confirm')
    await conversion.expectOnce(await conversion.start().finish())
  })

  it('is made once when the user speeds up what its process has sent before it was killed', async () => {
    await using conversion = await create()
    await conversion.wallet.speedUp(await killAfterLast(conversion))
    await mine()
    await conversion.expectOnce(await conversion.start().finish())
    expect(conversion.listPrompts()).toEqual(prompts)
  })

  // A wallet does not report the nonce of a batch.
  it.each(prompts.includes('wallet_sendCalls') ? [] : [1])(
    'is not made when the user cancels what its process has sent before it was killed: that is known from its deadline',
    async () => {
      await using conversion = await create()
      const transactionHash = await killAfterLast(conversion)
      await conversion.wallet.cancel(transactionHash)
      await mine()
      await conversion.passDeadline()
      const { error } = await conversion.start().finish()
      expect(error).toMatchObject({ code: 'convert/dropped', details: { transactionHash } })
      expect(conversion.listPrompts()).toEqual(prompts)
    },
  )

  /** Kills a process that has sent the conversion, which is not mined. Returns the hash. */
  async function killAfterLast(conversion: KillableConversion): Promise<Hex> {
    const kind = prompts.includes('wallet_sendCalls') ? 'batch' : 'convert'
    await using process = conversion.start()
    await process.runTo(`${kind} waiting-for-wallet`)
    await getClient().setAutomine(false)
    process.goOn()
    await process.runTo(`${kind} sent`)
    await process.kill()
    const { transactions } = await getClient().getBlock({ blockTag: 'pending', includeTransactions: true })
    return transactions[0]?.hash ?? '0x'
  }
})

/** Starts a conversion, and kills its process when something has happened. */
async function killWhen(conversion: KillableConversion, hasHappened: Promise<void>): Promise<void> {
  await using process = conversion.start()
  const ended = process.finish().catch(() => {})
  await hasHappened
  await process.kill()
  await ended
}

/** Starts a conversion, and kills its process while a prompt is open. */
async function killAtPrompt(conversion: KillableConversion, index: number): Promise<OpenPrompt> {
  const prompt = conversion.openPrompt(index)
  await killWhen(conversion, prompt.isShown)
  return prompt
}

/** Resumes a conversion, and does something once it has looked for its transaction more than once. */
async function finishAfter(conversion: KillableConversion, act: () => Promise<void>) {
  const countLooks = () => conversion.countRequests('eth_getBlockByNumber')
  const before = countLooks()
  const finished = conversion.start().finish()
  await vi.waitUntil(() => countLooks() > before + 3, eventually)
  await act()
  return await finished
}
