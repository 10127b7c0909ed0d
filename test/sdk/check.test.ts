import fc from 'fast-check'
import { encodeFunctionData, erc20Abi, getAddress, maxUint256, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { encodeApproval } from '../../packages/chain/src/call/encodeApproval.ts'
import { encodeConversionCall } from '../../packages/chain/src/call/ConversionCall.ts'
import type { ConversionCall } from '../../packages/chain/src/call/ConversionCall.ts'
import { checkApproval, checkCalls, checkTransaction } from '../../packages/sdk/src/checks/checkTransaction.ts'
import { getMaxAmountInRaw } from '../../packages/sdk/src/checks/ExpectedConversion.ts'
import { forms, randomConversions, type Form, type RandomConversion } from './randomConversion.ts'
import { forAll, refusedBy, runs } from './refusedBy.ts'

const stranger = getAddress('0x00000000000000000000000000000000000a610b')

/** The transaction of a conversion as the service builds it. */
function build({ quote, account: from, call }: RandomConversion, change: Partial<ConversionCall> = {}) {
  const data = encodeConversionCall({ ...call, ...change } as ConversionCall)
  return { from, to: quote.spender, data, value: '0x0', chainId: `0x${quote.chainId.toString(16)}` } as const
}

/** A random conversion, the same in each run. */
function sample(form: Form, seed = 20_261_122): RandomConversion {
  return fc.sample(randomConversions(form), { seed, numRuns: 1 })[0] as RandomConversion
}

describe.each(forms)('the calldata of $execution by $by', (form) => {
  it('checkTransaction accepts what the service encodes, in either form of the transaction', () => {
    forAll(form, (conversion) => {
      const transaction = build(conversion)
      checkTransaction(conversion, transaction)
      const upperCase = `0x${transaction.data.slice(2).toUpperCase()}`
      const { quote } = conversion
      checkTransaction(conversion, {
        to: quote.spender.toLowerCase(),
        data: upperCase,
        value: '0',
      })
    })
  })

  it('error: convert/mismatch names each part of the transaction beside the calldata', () => {
    forAll(form, (conversion) => {
      const changes = { to: stranger, value: '0x1', data: '0x' }
      for (const [field, value] of Object.entries(changes)) {
        const transaction = { ...build(conversion), [field]: value }
        expect(refusedBy(() => checkTransaction(conversion, transaction))).toBe(field)
      }
    })
  })

  it('error: convert/mismatch for a flipped bit at any place of the calldata, with the field that stands there', () => {
    const conversion = sample(form)
    const transaction = build(conversion)
    const fields = listPlaces(conversion.call)
    for (let bit = 0; bit < 4 * (transaction.data.length - 2); bit++) {
      const flipped = { ...transaction, data: flipBit(transaction.data, bit) }
      const refused = refusedBy(() => checkTransaction(conversion, flipped))
      const expected = bit < 32 ? 'data' : (fields[Math.floor((bit - 32) / 256)] ?? 'tail')
      // After the arguments come the length of a signature, its bytes, and zeros that fill up a word.
      expect(expected === 'tail' ? ['data', 'permit.signature'] : [expected], `bit ${bit}`).toContain(refused)
    }
  })

  it('error: convert/mismatch for truncated calldata, and for bytes after it', () => {
    const conversion = sample(form)
    const transaction = build(conversion)
    const { data } = transaction
    const lengths = Array.from({ length: data.length - 2 }, (_, index) => data.slice(0, index + 2))
    for (const other of [...lengths, `${data}00`, `${data}${'0'.repeat(64)}`, data.slice(2)]) {
      expect(refusedBy(() => checkTransaction(conversion, { ...transaction, data: other }))).toBe('data')
    }
  })

  it('error: convert/mismatch for every other function that takes the same conversion', () => {
    // The same seed gives the same tokens, amounts and times.
    const conversion = sample(form)
    for (const other of forms.filter((each) => each !== form)) {
      const { call } = sample(other)
      const refused = refusedBy(() =>
        checkTransaction(conversion, { ...build(conversion), data: encodeConversionCall(call) }),
      )
      expect(refused, `${other.execution} by ${other.by}`).toBeDefined()
    }
  })
})

describe('a quote and its functions', () => {
  it('error: convert/mismatch for a target swap of a quote whose input is fixed', () => {
    const form = { execution: 'origin-swap', by: 'router' } as const
    forAll(form, (conversion) => {
      fc.pre(conversion.quote.mode === 'exact-in' && conversion.call.mode === 'exact-in')
      const { amountInRaw: maxAmountInRaw, minAmountOutRaw: amountOutRaw, ...rest } = conversion.call
      const call = { ...rest, mode: 'exact-out', maxAmountInRaw, amountOutRaw } as const
      const data = encodeConversionCall(call)
      expect(refusedBy(() => checkTransaction(conversion, { ...build(conversion), data }))).toBe('execution')
    })
  })

  it('error: convert/mismatch for an origin swap that takes the most of a quote whose output is fixed', () => {
    forAll({ execution: 'target-swap', by: 'router' }, (conversion) => {
      fc.pre(conversion.call.mode === 'exact-out')
      const { maxAmountInRaw: amountInRaw, amountOutRaw: minAmountOutRaw, ...rest } = conversion.call
      const data = encodeConversionCall({ ...rest, mode: 'exact-in', amountInRaw, minAmountOutRaw })
      expect(refusedBy(() => checkTransaction(conversion, { ...build(conversion), data }))).toBe('execution')
    })
  })

  it('error: convert/mismatch for a call that pays the account where the quote has a recipient', () => {
    forAll({ execution: 'origin-swap', by: 'recipient' }, (conversion) => {
      const data = build(conversion, { recipient: undefined }).data
      expect(refusedBy(() => checkTransaction(conversion, { ...build(conversion), data }))).toBe('recipient')
    })
  })

  it('a call that names the account as its recipient is the call of a quote without one', () => {
    forAll({ execution: 'target-swap', by: 'router' }, (conversion) => {
      checkTransaction(conversion, build(conversion, { recipient: conversion.account }))
    })
  })

  it('error: convert/mismatch for a signature that is missing, or that the user has not given', () => {
    for (const by of ['permit', 'permit2'] as const) {
      forAll({ execution: 'origin-swap', by }, (conversion) => {
        const { permit, ...unsigned } = conversion
        expect(refusedBy(() => checkTransaction(unsigned, build(conversion)))).toBe('permit')
        const plain = build(conversion, { permit: undefined })
        expect(refusedBy(() => checkTransaction({ ...unsigned, permit }, plain))).toBe('permit')
      })
    }
  })

  it('error: convert/mismatch for the calldata of a pool at a contract that is not the pool of the quote', () => {
    forAll({ execution: 'origin-swap', by: 'pool' }, (conversion) => {
      const quote = { ...conversion.quote, spender: stranger }
      const transaction = { ...build(conversion), to: stranger }
      expect(refusedBy(() => checkTransaction({ ...conversion, quote }, transaction))).toBe('to')
    })
  })

  it('error: convert/mismatch for a quote without its limit, and for amounts with other decimals', () => {
    const conversion = sample({ execution: 'target-swap', by: 'router' })
    for (const [field, value] of [
      ['maxAmountIn', undefined],
      ['maxAmountIn', `1.${'0'.repeat(19)}`],
      ['amountOut', '1e3'],
      ['expiresAt', 'tomorrow'],
    ] as const) {
      const quote = { ...conversion.quote, [field]: value }
      expect(refusedBy(() => checkTransaction({ ...conversion, quote }, build(conversion)))).toBe(field)
    }
  })
})

describe('checkApproval', () => {
  const approvals = fc.record({
    conversion: randomConversions({ execution: 'origin-swap', by: 'router' }),
    raw: fc.bigInt(0n, maxUint256),
  })

  it('checkApproval accepts exactly the amount, a reset, and any amount where that was wanted', () => {
    fc.assert(
      fc.property(approvals, ({ conversion: { quote }, raw: amountRaw }) => {
        const expected = { token: quote.tokenIn.address, spender: quote.spender, amountRaw }
        const transaction = { to: quote.tokenIn.address, data: encodeApproval(quote.spender, amountRaw), value: '0x0' }
        checkApproval(expected, transaction)
        const unlimited = { ...transaction, data: encodeApproval(quote.spender, maxUint256) }
        checkApproval({ ...expected, unlimited: true }, unlimited)
        fc.pre(amountRaw !== maxUint256)
        expect(refusedBy(() => checkApproval(expected, unlimited))).toBe('amount')
        expect(refusedBy(() => checkApproval({ ...expected, unlimited: true }, transaction))).toBe('amount')
      }),
      runs,
    )
  })

  it('error: convert/mismatch for a flipped bit at any place, and for another function', () => {
    const { quote } = sample({ execution: 'origin-swap', by: 'router' })
    const expected = { token: quote.tokenIn.address, spender: quote.spender, amountRaw: 1_000_000n }
    const transaction = { to: quote.tokenIn.address, data: encodeApproval(quote.spender, 1_000_000n), value: '0x0' }
    for (let bit = 0; bit < 4 * (transaction.data.length - 2); bit++) {
      const field = bit < 32 ? 'data' : bit < 288 ? 'spender' : 'amount'
      const flipped = { ...transaction, data: flipBit(transaction.data, bit) }
      expect(refusedBy(() => checkApproval(expected, flipped))).toBe(field)
    }
    const args = [quote.spender, 1_000_000n] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    expect(refusedBy(() => checkApproval(expected, { ...transaction, data }))).toBe('data')
    expect(refusedBy(() => checkApproval(expected, { ...transaction, to: stranger }))).toBe('to')
    expect(refusedBy(() => checkApproval(expected, { ...transaction, value: '0x1' }))).toBe('value')
  })
})

describe('checkCalls', () => {
  const form = { execution: 'target-swap', by: 'router' } as const

  const batchOf = (conversion: RandomConversion) => {
    const { quote } = conversion
    const approve = (amountRaw: bigint, spender: Hex = quote.spender) =>
      ({ to: quote.tokenIn.address, data: encodeApproval(spender, amountRaw), value: '0x0' }) as const
    const { to, data, value } = build(conversion)
    const capRaw = getMaxAmountInRaw(quote)
    return { approve, capRaw, reset: approve(0n), approval: approve(capRaw), convert: { to, data, value } as const }
  }

  it('checkCalls accepts a conversion, also after an approval, and that after a reset', () => {
    forAll(form, (conversion) => {
      const { reset, approval, convert } = batchOf(conversion)
      for (const calls of [[convert], [approval, convert], [reset, approval, convert]]) checkCalls(conversion, calls)
    })
  })

  it('error: convert/mismatch for calls that are more, fewer, others, or in another order', () => {
    forAll(form, (conversion) => {
      const { approve, capRaw, reset, approval, convert } = batchOf(conversion)
      const refused = [
        [],
        [approval],
        [convert, approval],
        [convert, convert],
        [reset, convert],
        [approval, reset, convert],
        [approval, approval, convert],
        [reset, reset, approval, convert],
        [approve(capRaw + 1n), convert],
        [approve(maxUint256), convert],
        [approve(capRaw, stranger), convert],
        [approve(0n, stranger), approval, convert],
        [approval, { ...convert, to: stranger }],
      ]
      for (const calls of refused) expect(refusedBy(() => checkCalls(conversion, calls))).toBeDefined()
    })
  })
})

/** The name that an error has for each word of the calldata, up to the bytes of a signature. */
function listPlaces({ target, mode, recipient, permit }: ConversionCall): readonly string[] {
  const amounts = mode === 'exact-in' ? ['amountIn', 'minAmountOut'] : ['maxAmountIn', 'amountOut']
  return [
    ...(target === 'router' ? ['quoteToken'] : []),
    'tokenIn',
    'tokenOut',
    ...amounts,
    ...(recipient === undefined ? [] : ['recipient']),
    'deadline',
    ...(permit?.kind === 'permit' ? ['data', 'permit.amount', 'permit.deadline', 'data'] : []),
    ...(permit?.kind === 'permit2' ? ['permit.quoteDigest', 'data'] : []),
  ]
}

function flipBit(data: Hex, bit: number): Hex {
  const bytes = Buffer.from(data.slice(2), 'hex')
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return `0x${bytes.toString('hex')}`
}
