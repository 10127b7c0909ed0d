import fc from 'fast-check'
import { keccak256, stringToHex, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { toPermit2TypedData } from '../../packages/chain/src/permit/permit2.ts'
import { toPermitTypedData } from '../../packages/chain/src/permit/permit.ts'
import { checkTypedData } from '../../packages/sdk/src/checks/checkTypedData.ts'
import { getMaxAmountInRaw } from '../../packages/sdk/src/checks/ExpectedConversion.ts'
import type { TypedData } from '../../packages/sdk/src/index.ts'
import type { RandomConversion } from './randomConversion.ts'
import { forAll, refusedBy } from './refusedBy.ts'

describe('typed data for Permit2', () => {
  describe.each(['origin-swap', 'target-swap'] as const)('of %s', (execution) => {
    const form = { execution, by: 'permit2' } as const

    it('checkTypedData accepts what the service makes, whose digest is the keccak256 of the quote', () => {
      forAll(form, (conversion) => checkTypedData(expectedOf(conversion), toPermit2(conversion)))
    })

    it('error: convert/mismatch names each value that is changed, missing or added', () => {
      forAll(form, (conversion) => {
        const expected = expectedOf(conversion)
        for (const { path, typedData } of listDamaged(toPermit2(conversion))) {
          expect(
            refusedBy(() => checkTypedData(expected, typedData)),
            path,
          ).toSatisfy(isOf(path))
        }
      })
    })
  })

  it('error: convert/mismatch for a target swap of a quote whose input is fixed', () => {
    forAll({ execution: 'origin-swap', by: 'permit2' }, (conversion) => {
      fc.pre(conversion.quote.mode === 'exact-in')
      const {
        amountInRaw: maxAmountInRaw,
        minAmountOutRaw: amountOutRaw,
        ...rest
      } = conversion.swap as Extract<RandomConversion['swap'], { mode: 'exact-in' }>
      const swap = { ...rest, mode: 'exact-out', maxAmountInRaw, amountOutRaw } as const
      const typedData = toPermit2({ ...conversion, swap })
      expect(refusedBy(() => checkTypedData(expectedOf(conversion), typedData))).toMatch(/^types\./)
    })
  })
})

describe('typed data by EIP-2612', () => {
  const form = { execution: 'target-swap', by: 'permit' } as const
  const networks = ['chainId', 'salt', 'chainId and salt'] as const

  it.each(networks)('checkTypedData accepts what the service makes, with the %s of the network', (network) => {
    forAll(form, (conversion) => checkTypedData(expectedOf(conversion), toPermit(conversion, network)))
  })

  it('error: convert/mismatch names each value that is changed, missing or added', () => {
    // Only the token knows its name, its version and the nonce.
    const free = new Set(['domain.name', 'domain.version', 'message.nonce'])
    forAll(form, (conversion) => {
      const expected = expectedOf(conversion)
      for (const { path, typedData, isChanged } of listDamaged(toPermit(conversion))) {
        if (isChanged && free.has(path)) continue
        expect(
          refusedBy(() => checkTypedData(expected, typedData)),
          path,
        ).toSatisfy(isOf(path))
      }
    })
  })

  it('error: convert/mismatch for a type in another letter case, and none for an address', () => {
    forAll(form, (conversion) => {
      const [expected, typedData] = [expectedOf(conversion), toPermit(conversion)]
      const owner = String(typedData.message['owner']).toLowerCase()
      checkTypedData(expected, { ...typedData, message: { ...typedData.message, owner } })
      const lowerCase = { ...typedData, primaryType: 'permit' }
      expect(refusedBy(() => checkTypedData(expected, lowerCase))).toBe('primaryType')
    })
  })

  it('error: convert/mismatch for the salt of another network', () => {
    forAll(form, (conversion) => {
      const expected = { ...expectedOf(conversion), chainId: 1 }
      expect(refusedBy(() => checkTypedData(expected, toPermit(conversion, 'salt')))).toBe('domain.salt')
    })
  })

  it('error: convert/mismatch for a permit of the other kind, and for what is not typed data', () => {
    forAll(form, (conversion) => {
      const expected = expectedOf(conversion)
      expect(refusedBy(() => checkTypedData({ ...expected, kind: 'permit2' }, toPermit(conversion)))).toBe(
        'primaryType',
      )
      for (const nothing of [undefined, null, 'typed data', {}, { message: null }]) {
        expect(refusedBy(() => checkTypedData(expected, nothing as never))).toBeDefined()
      }
    })
  })

  it('error: convert/mismatch for terms beside the typed data that are not those to sign', () => {
    forAll(form, (conversion) => {
      const { deadline, amount = '' } = conversion.permit ?? { deadline: 0 }
      const terms = { kind: 'permit', deadline, amount, nonce: '7' } as const
      const check = (change: Partial<Record<keyof typeof terms, unknown>>) =>
        refusedBy(() =>
          checkTypedData({ ...expectedOf(conversion), terms: { ...terms, ...change } as never }, toPermit(conversion)),
        )
      expect(check({})).toBeUndefined()
      for (const [field, value] of Object.entries({
        kind: 'permit2',
        deadline: deadline + 1,
        amount: '1',
        nonce: '8',
      })) {
        expect(check({ [field]: value })).toBe(`permit.${field}`)
      }
    })
  })
})

function expectedOf({ quote, account, form }: RandomConversion) {
  return { quote, account, chainId: quote.chainId, kind: form.by === 'permit' ? 'permit' : 'permit2' } as const
}

function toPermit2({ quote, swap }: RandomConversion): TypedData {
  const quoteDigest = keccak256(stringToHex(quote.quote))
  return asResponse(toPermit2TypedData({ chainId: quote.chainId, router: quote.spender, swap, quoteDigest }))
}

function toPermit({ quote, account: owner, swap }: RandomConversion, network = 'chainId'): TypedData {
  const { chainId, tokenIn, spender } = quote
  const salt: Hex = `0x${chainId.toString(16).padStart(64, '0')}`
  const domain = {
    name: 'Token',
    version: '1',
    ...(network !== 'salt' && { chainId }),
    ...(network !== 'chainId' && { salt }),
    verifyingContract: tokenIn.address,
  }
  const { deadlineSeconds } = swap
  const valueRaw = getMaxAmountInRaw(quote)
  return asResponse(toPermitTypedData({ domain, owner, spender, valueRaw, nonce: 7n, deadlineSeconds }))
}

/** Typed data as it arrives: as JSON. */
function asResponse(typedData: unknown): TypedData {
  return JSON.parse(JSON.stringify(typedData)) as TypedData
}

type Damaged = { readonly path: string; readonly typedData: TypedData; readonly isChanged: boolean }

/** Copies of typed data, each with one value that is another, is missing, or is one more. */
function listDamaged(typedData: TypedData): readonly Damaged[] {
  const damaged: Damaged[] = []
  const visit = (path: readonly string[], value: unknown) => {
    if (typeof value === 'object' && value !== null) {
      for (const [key, each] of Object.entries(value)) visit([...path, key], each)
      const added = [...path, Array.isArray(value) ? `${value.length}` : 'more']
      damaged.push({ path: added.join('.'), typedData: withValue(added, '0'), isChanged: false })
    } else {
      damaged.push({ path: path.join('.'), typedData: withValue(path, change(value)), isChanged: true })
    }
    if (path.length > 0) damaged.push({ path: path.join('.'), typedData: withValue(path), isChanged: false })
  }
  const withValue = (path: readonly string[], value?: unknown): TypedData => {
    const copy = structuredClone(typedData)
    const parent = path
      .slice(0, -1)
      .reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, copy as never)
    const key = path.at(-1) ?? ''
    if (value === undefined) delete parent[key]
    else parent[key] = value
    return copy
  }
  visit([], typedData)
  // Anything outside the four parts is not signed.
  return damaged.filter(({ path }) => path !== 'more')
}

function change(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  const text = String(value)
  if (/^\d+$/.test(text)) return (BigInt(text) + 1n).toString()
  const last = text.at(-1) === '1' ? '2' : '1'
  return `${text.slice(0, -1)}${last}`
}

/** Whether a refused field is the damaged one, or the place in the types that names it. */
function isOf(path: string) {
  return (refused = '') =>
    `${refused}.`.startsWith(`${path}.`) ||
    (path.startsWith('domain.') && refused.startsWith('types.EIP712Domain')) ||
    // Without its struct, a quote that either function may execute could be of the other one.
    (path === 'types.OriginSwap' && refused === 'types.PermitWitnessTransferFrom.4.type')
}
