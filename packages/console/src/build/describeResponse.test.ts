import { expect, it } from 'vitest'
import { describeResponse, formatResponse, formatSize } from './describeResponse.ts'

it('a response is formatted with a line for each value, and only if it is whole and JSON', () => {
  expect(formatResponse({ text: '{"a":[1]}', isCut: false })).toBe('{\n  "a": [\n    1\n  ]\n}')
  expect(formatResponse({ text: '{"a":[1', isCut: true })).toBeUndefined()
  expect(formatResponse({ text: 'TypeError: Failed to fetch', isCut: false })).toBeUndefined()
})

const response = { status: 200, ms: 1, requestId: undefined, text: '{}', bytes: 2, isCut: false, isAborted: false }
const error = '{"error":{"code":-32600,"data":{"code":"svc/stale-price"}}}'

it.each([
  [undefined, { label: 'Pending', tone: 'neutral' }],
  [{}, { label: '200', tone: 'positive' }],
  [
    { status: 422, text: error },
    { label: '422', tone: 'danger', code: 'svc/stale-price' },
  ],
  [
    { status: 502, text: '<html>' },
    { label: '502', tone: 'danger', code: undefined },
  ],
  [{ status: undefined }, { label: 'No response', tone: 'danger' }],
  [
    { status: undefined, isAborted: true },
    { label: 'Cancelled', tone: 'neutral' },
  ],
])('the outcome of a call with %j is %j', (fields, outcome) => {
  expect(describeResponse(fields && { ...response, ...fields })).toEqual(outcome)
})

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [65_536, '65.5 kB'],
  [999_999, '1.0 MB'],
  [1_234_567, '1.2 MB'],
])('%d bytes are shown as %s', (bytes, shown) => {
  expect(formatSize(bytes)).toBe(shown)
})
