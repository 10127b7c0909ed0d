import { expect, it } from 'vitest'
import { z } from 'zod'
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
