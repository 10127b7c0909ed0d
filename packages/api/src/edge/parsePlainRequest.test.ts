import { describe, expect, it } from 'vitest'
import { parsePlainRequest } from './parsePlainRequest.ts'

const run = () => Promise.resolve()
const procedures = new Map([
  ['read', { type: 'query', run }],
  ['write', { type: 'mutation', run }],
] as const)

function parse(changes: Partial<parsePlainRequest.Request>) {
  const request = { method: 'GET', headers: new Headers(), operations: ['read'], query: '', body: '' }
  const parsed = parsePlainRequest(procedures, { ...request, ...changes })
  return parsed && { ...parsed, calls: parsed.calls.map(({ operation, input }) => [operation, input]) }
}

describe('parsePlainRequest', () => {
  it('a call has the input of the query, or of the body of a POST', () => {
    expect(parse({})).toEqual({ isBatch: false, calls: [['read', undefined]] })
    expect(parse({ query: 'input=%7B%22a%22%3A1%7D' })).toEqual({ isBatch: false, calls: [['read', { a: 1 }]] })
    const write = { method: 'POST', operations: ['write'], query: 'input=2', body: '{"a":1}' }
    expect(parse(write)).toEqual({ isBatch: false, calls: [['write', { a: 1 }]] })
    expect(parse({ ...write, operations: ['read'] })).toMatchObject({ calls: [['read', { a: 1 }]] })
  })

  it('a batch has an input for each call, by its index', () => {
    const batch = { operations: ['read', 'read'], query: 'batch=1&input={"1":{"a":1}}' }
    expect(parse(batch)).toEqual({
      isBatch: true,
      calls: [
        ['read', undefined],
        ['read', { a: 1 }],
      ],
    })
  })

  it('error: svc/invalid-request for an input with a field twice', () => {
    for (const changes of [{ query: 'input={"a":1,"a":2}' }, { method: 'POST', body: '{"a":[{"b":1,"b":1}]}' }]) {
      expect(() => parse(changes)).toThrow('it has a field twice')
    }
  })

  it.each<[string, Partial<parsePlainRequest.Request>]>([
    ['that streams', { headers: new Headers({ 'trpc-accept': 'application/jsonl' }) }],
    ['that accepts a stream', { headers: new Headers({ accept: 'application/jsonl' }) }],
    ['with a form', { headers: new Headers({ 'content-type': 'multipart/form-data' }) }],
    ['with connection parameters', { query: 'connectionParams=null' }],
    ['of an unknown procedure', { operations: ['other'] }],
    ['of two types', { operations: ['read', 'write'], query: 'batch=1', method: 'POST' }],
    ['of a mutation by GET', { operations: ['write'] }],
    ['of a query by PUT', { method: 'PUT' }],
    ['whose input is not JSON', { query: 'input={' }],
    ['of a batch whose inputs are an array', { query: 'batch=1&input=[]' }],
    ['of a batch whose inputs are null', { query: 'batch=1&input=null' }],
  ])('a request %s is left to tRPC', (_, changes) => {
    expect(parse(changes)).toBeUndefined()
  })
})
