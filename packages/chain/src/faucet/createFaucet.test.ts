import { encodeFunctionResult, numberToHex } from 'viem'
import { expect, it } from 'vitest'
import { faucetAbi } from '../abi/index.ts'
import type { FactSource } from '../reader/createFactReader.ts'
import { createFaucetTerms } from './createFaucet.ts'

const address = numberToHex(1, { size: 20 })

/** Reads the terms of a faucet with a number of tokens, which the node returns without any metadata. */
async function readTerms(count: number) {
  const tokens = Array.from({ length: count }, (_, index) => numberToHex(index + 2, { size: 20 }))
  let calls = 0
  const source: Pick<FactSource, 'aggregate'> = {
    async aggregate(reads) {
      calls += reads.length
      const data = encodeFunctionResult({ abi: faucetAbi, functionName: 'tokens', result: tokens })
      return await Promise.resolve({ timestampSeconds: 7n, results: reads.map(() => ({ success: true, data })) })
    },
  }
  const getTerms = createFaucetTerms(
    {
      canConfirm: () => false,
      read: async (read) => (await read(source as FactSource)).map((value) => ({ state: 'confirmed', value })),
    },
    address,
  )
  const message = await getTerms().then(
    () => '',
    (error: Error) => error.message,
  )
  return { message, calls }
}

it('error: a faucet of more than 100 tokens is refused, and its tokens are not read', async () => {
  const reason = 'Cannot read the tokens of the faucet: it has more than 100 tokens'
  expect(await readTerms(101)).toEqual({ message: reason, calls: 2 })
  expect((await readTerms(100)).calls).toBe(2 + 4 * 100)
})
