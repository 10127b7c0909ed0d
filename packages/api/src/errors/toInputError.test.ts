import { expect, it } from 'vitest'
import { z } from 'zod'
import { listProcedures } from '../procedure/listProcedures.ts'
import { appRouter } from '../router/appRouter.ts'
import { signedPermit } from '../schema/permit.ts'
import { requireFields } from '../schema/requireFields.ts'
import { toInputError } from './toInputError.ts'

it('an error of several fields contains no values of a permit', () => {
  const input = { permit: { kind: 'permit', deadline: 'secret-1', signature: 'secret-2', nonce: 'secret-3' } }
  const { error } = z.object({ permit: signedPermit }).safeParse(input)
  const { details } = toInputError(error as z.ZodError, input)
  expect(details).toMatchObject({ errors: [{ field: 'permit.deadline' }, { field: 'permit.signature' }, {}] })
  expect(JSON.stringify(details)).not.toMatch(/secret-[23]/)
})

it('all missing fields are in one error, and the details of one error have no list', () => {
  const input: { readonly from?: string; readonly nonce?: number } = {}
  expect(() => requireFields(input, ['from', 'nonce'])).toThrow(
    expect.objectContaining({ details: expect.objectContaining({ errors: [{}, {}].map(() => expect.anything()) }) }),
  )
  expect(() => requireFields(input, ['from'])).toThrow(
    expect.objectContaining({ details: { field: 'from', value: undefined } }),
  )
})

const badValues = [5, -1.5, 1e21, null, true, 'bad', 'a'.repeat(10_000), [], [5], {}, { bad: 5 }]

it('no sentence about a bad value of any field of any operation is from the schema library', () => {
  const sentences = new Set<string>()
  for (const [, { procedure }] of listProcedures(appRouter)) {
    for (const schema of procedure._def.inputs as unknown as readonly z.ZodType[]) {
      const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
      const inputs = fields.flatMap((field) => badValues.map((value) => ({ [field]: value })))
      for (const input of inputs) {
        const { error } = schema.safeParse(input)
        if (!error) continue
        const { message, details } = toInputError(error, input)
        const { errors = [] } = details as { readonly errors?: readonly { readonly message: string }[] }
        for (const sentence of [message, ...errors.map((one) => one.message)]) sentences.add(sentence)
      }
    }
  }
  expect(sentences.size).toBeGreaterThan(20)
  for (const sentence of sentences)
    expect(sentence.replace(/^Cannot read [^:]+: /, '')).not.toMatch(
      /expected|invalid (input|option|string)|received|too (big|small)|unrecognized/i,
    )
})

it('other parsers of the process keep the sentences of the schema library', () => {
  const { error } = z.object({ port: z.number() }).safeParse({ port: 'x' })
  expect(error?.issues[0]?.message).toMatch(/^Invalid input: expected number/)
})
