import { expect, it } from 'vitest'
import { toFailureError } from './toFailureError.ts'

it.each(['convert/dropped', 'wallet/rejected', '__proto__', 5])(
  'a failure with the code %s, which is not of the service, is one without an explanation',
  (code) => {
    const error = toFailureError({ code, message: 'Convert again', revert: { name: 'Halt', args: [] } } as never, 'it')
    expect(error).toMatchObject({ code: 'svc/reverted', message: 'Cannot complete it: it reverted', action: 'requote' })
  },
)
