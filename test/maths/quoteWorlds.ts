import { readerAbi, readerCode } from '@agio/chain/abi'
import { Curve, CurveRevert, type Address } from '@agio/core'
import {
  decodeErrorResult,
  decodeFunctionResult,
  encodeFunctionData,
  hexToBigInt,
  parseAbi,
  type Hex,
  type PublicClient,
} from 'viem'
import type { World } from './arbitraryWorlds.ts'

/** Raw units, or why the contract reverts. */
export type WorldOutcome = bigint | string

/** The outcomes of worlds by our computation. */
export function quoteWorlds(worlds: readonly World[]): readonly WorldOutcome[] {
  return worlds.map(({ kind, pool, swap }) => {
    try {
      if (kind === 'execution') return Curve.execute(pool, swap)
      return kind === 'view' ? Curve.view(pool, swap) : Curve.viewInput(pool, swap)
    } catch (error) {
      if (error instanceof CurveRevert) return error.reason
      throw error
    }
  })
}

const readerAt = '0x00000000000000000000000000000000000a610a'

const familyCurveAbi = parseAbi([
  'struct Side { uint256 balance; uint256 rate; uint256 oracleUnit; uint256 tokenUnit; }',
  'struct World { int128 alpha; int128 beta; int128 delta; int128 epsilon; int128 lambda; Side[2] sides; }',
  'function executeOrigin(World world, uint256 paid, uint256 amount) view returns (uint256)',
  'function viewOrigin(World world, uint256 paid, uint256 amount) view returns (uint256)',
  'function viewTarget(World world, uint256 paid, uint256 amount) view returns (uint256)',
])

const functions = { execution: 'executeOrigin', view: 'viewOrigin', 'view of an exact output': 'viewTarget' } as const

/** The outcomes of worlds by the contract, in one call. */
export async function quoteWorldsOnChain(
  client: Pick<PublicClient, 'request'>,
  { address, worlds }: { readonly address: Address; readonly worlds: readonly World[] },
): Promise<readonly WorldOutcome[]> {
  const calls = worlds.map((world) => ({ target: address, data: encode(world) }))
  const data = await client.request({
    method: 'eth_call',
    params: [
      { to: readerAt, data: encodeFunctionData({ abi: readerAbi, functionName: 'aggregate', args: [calls] }) },
      'latest',
      { [readerAt]: { code: readerCode } },
    ],
  })
  const [, , results] = decodeFunctionResult({ abi: readerAbi, functionName: 'aggregate', data })
  return results.map((result) => (result.success ? hexToBigInt(result.data) : toReason(result.data)))
}

function encode({ kind, pool: { sides, ...parameters }, swap: { inputIndex, amountRaw } }: World): Hex {
  const world = { ...parameters, sides: [toSide(sides[0]), toSide(sides[1])] as const }
  return encodeFunctionData({
    abi: familyCurveAbi,
    functionName: functions[kind],
    args: [world, BigInt(inputIndex), amountRaw],
  })
}

function toSide({ balanceRaw, answer, oracleDecimals, tokenDecimals }: Curve.Side) {
  return {
    balance: balanceRaw,
    rate: BigInt.asUintN(256, answer),
    oracleUnit: 10n ** BigInt(oracleDecimals),
    tokenUnit: 10n ** BigInt(tokenDecimals),
  }
}

function toReason(data: Hex): string {
  if (data === '0x') return ''
  const { errorName, args } = decodeErrorResult({ data })
  return errorName === 'Panic' ? `panic 0x${(args as readonly [bigint])[0].toString(16)}` : String(args?.[0])
}
