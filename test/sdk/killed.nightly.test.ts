import { describe, expect, it } from 'vitest'
import type { Step } from '../../packages/sdk/src/index.ts'
import { startAgio } from '../harness/startAgio.ts'
import { setUp } from '../harness/setUp.ts'
import { createKillableConversion } from './killableConversion.ts'
import { nameOf } from './startConversion.ts'
import { waysToPay } from './waysToPay.ts'

const stack = setUp(startAgio)

describe.each(waysToPay)('a conversion that is paid for by $name', ({ toPayment, prompts, ...way }) => {
  const steps = ['quote done', ...way.steps, 'confirm needed', 'confirm done']
  const create = () => createKillableConversion(stack, toPayment(stack.localnet.chains[84532].deployment))

  it('reports each of its steps once, and shows each prompt once', async () => {
    await using conversion = await create()
    const process = conversion.start()
    await conversion.expectOnce(await process.finish())
    expect(process.steps.map(nameOf)).toEqual(steps)
    expect(conversion.listPrompts()).toEqual(prompts)
  })

  it.each(steps)('is made once when its process is killed at "%s" and another one resumes it', async (name) => {
    await using conversion = await create()
    const killed = conversion.start()
    await killed.runTo(name)
    await killed.kill()
    const isExpired = mayBeSent.has(name)
    // A request that the wallet may have received is repeated only after its deadline, which is also the deadline of a signature.
    if (isExpired) await conversion.passDeadline()
    await conversion.expectOnce(await conversion.start().finish())
    const signatures = prompts.filter((method) => method === 'eth_signTypedData_v4')
    expect(conversion.listPrompts()).toEqual([...(isExpired ? signatures : []), ...prompts])
  })

  it.each(steps.slice(1))(
    'is made once when its process is killed at "%s" and another one resumes the step before',
    async (name) => {
      await using conversion = await create()
      const killed = conversion.start()
      await killed.runTo(name)
      await killed.kill()
      await conversion.store(killed.steps.at(-2) as Step)
      await conversion.expectOnce(await conversion.start().finish())
    },
  )
})

const mayBeSent = new Set(['convert waiting-for-wallet', 'batch waiting-for-wallet'])
