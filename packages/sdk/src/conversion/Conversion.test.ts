import { describe, expect, it } from 'vitest'
import { createConversion, type Publish } from './Conversion.ts'
import type { Step } from './Step.ts'
import type { SuccessfulReceipt } from './SuccessfulReceipt.ts'

const receipt = { transactionHash: '0x01', status: 'success' } as Partial<SuccessfulReceipt> as SuccessfulReceipt
const steps = ['needed', 'waiting-for-wallet', 'sent'].map((status) => ({ kind: 'convert', status }) as Step)

const tellAll = async (tell: Publish) => {
  await Promise.resolve()
  for (const step of steps) await tell(step)
  return receipt
}

async function collect(conversion: AsyncIterable<Step>): Promise<readonly Step[]> {
  const collected: Step[] = []
  for await (const step of conversion) collected.push(step)
  return collected
}

describe('createConversion', () => {
  it('each iteration of a conversion gets all steps from the first, also one that begins after the end', async () => {
    const conversion = createConversion('id', tellAll)
    expect(conversion.conversionId).toBe('id')
    expect(await Promise.all([collect(conversion), collect(conversion)])).toEqual([steps, steps])
    expect(await collect(conversion)).toEqual(steps)
    expect(await conversion).toBe(receipt)
  })

  it('a conversion continues once each iteration has requested the next step', async () => {
    const told: number[] = []
    const conversion = createConversion('id', async (tell) => {
      await Promise.resolve()
      for (const [index, step] of steps.entries()) {
        await tell(step)
        told.push(index)
      }
      return receipt
    })
    const taken: number[] = []
    for await (const _ of conversion) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      expect(told).toEqual(taken)
      taken.push(taken.length)
    }
    expect(told).toEqual([0, 1, 2])
  })

  it('a conversion continues without an iteration that has stopped', async () => {
    const conversion = createConversion('id', tellAll)
    for await (const step of conversion) {
      expect(step).toBe(steps[0])
      break
    }
    expect(await conversion).toBe(receipt)
  })

  it('an error reaches the await of a conversion, and its iterations after the previous steps', async () => {
    const conversion = createConversion('id', async (tell) => {
      await tell(steps[0] as Step)
      throw new Error('The wallet refused')
    })
    const seen: Step[] = []
    const iterate = async () => {
      for await (const step of conversion) seen.push(step)
    }
    await expect(iterate()).rejects.toThrow('The wallet refused')
    await expect(conversion).rejects.toThrow('The wallet refused')
    expect(seen).toEqual([steps[0]])
  })

  it('a conversion is a promise, and its failure is not an unhandled rejection', async () => {
    const unhandled: unknown[] = []
    const collectUnhandled = (error: unknown) => void unhandled.push(error)
    process.on('unhandledRejection', collectUnhandled)
    const fail = () => createConversion('id', async () => await Promise.reject(new Error('The wallet refused')))
    await expect(collect(fail())).rejects.toThrow('The wallet refused')
    void fail()
    await new Promise((resolve) => setTimeout(resolve, 5))
    process.off('unhandledRejection', collectUnhandled)
    expect(unhandled).toEqual([])

    const told: string[] = []
    const end = () => void told.push('ended')
    expect(await fail().finally(end).catch(String)).toBe('Error: The wallet refused')
    expect(await createConversion('id', tellAll).finally(end)).toBe(receipt)
    expect(told).toEqual(['ended', 'ended'])
    expect(fail()).toBeInstanceOf(Promise)
  })
})
