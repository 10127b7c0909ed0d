import { Errors } from '@agio/core'
import { expect, it } from 'vitest'
import { findNearestInput } from './findNearestInput.ts'

const input = { amountIn: '900', minAmountOut: '700', maxAmountIn: '5' }

it.each([
  [Errors.aboveMaxOrigin({ amountIn: '900', maxAmountIn: '767.5' }), { amountIn: '767.5' }],
  [Errors.noConvergence({ amountIn: '900', nearestAmountIn: '899' }), { amountIn: '899' }],
  [Errors.insufficientBalance({ required: '900', current: '12' }), { amountIn: '12' }],
  [Errors.belowMinTarget({ amountOut: '650', minAmountOut: '700' }), { minAmountOut: '650' }],
  [Errors.aboveMaxInput({ amountIn: '6', maxAmountIn: '5' }), { maxAmountIn: '6' }],
])('the nearest input of $code is in the details of the error', (error, nearest) => {
  expect(findNearestInput(error, input)).toEqual(nearest)
})

it.each([
  ['the error does not say it', Errors.aboveMaxOrigin({}), input],
  ['no amount works', Errors.insufficientBalance({ required: '900', current: '0.000000' }), input],
  ['the request did not have the field', Errors.insufficientBalance({ required: '900', current: '12' }), {}],
  ['no other value of a field helps', Errors.noRoute(), input],
  ['the input was not read', Errors.aboveMaxOrigin({ maxAmountIn: '1' }), undefined],
])('a refusal has no nearest input if %s', (_, error, refused) => {
  expect(findNearestInput(error, refused)).toBeUndefined()
})
