import type { Address } from '@agio/core'
import { concatHex, encodeAbiParameters, encodeFunctionData, erc20Abi, keccak256, numberToHex, type Hex } from 'viem'
import type { Rpc } from '../selection/createRpc.ts'
import { toUpstreamError } from '../errors/toUpstreamError.ts'

const probedSlots = 16n
// Where OpenZeppelin's upgradeable ERC-20 keeps its mappings (ERC-7201).
const namespacedSlot = 0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n
const [owner, spender] = [
  '0x1000000000000000000000000000000000000a61',
  '0x2000000000000000000000000000000000000a61',
] as const
const magic = numberToHex(0xa610n, { size: 32 })

/** Where a token keeps a holder's balance and an allowance; undefined where it was not found. */
export type TokenSlots = {
  /** Whether every slot was tried: if not, what is missing may yet be found. */
  readonly isComplete: boolean
  balanceOf(owner: Address): Hex | undefined
  allowance(owner: Address, spender: Address): Hex | undefined
}

/**
 * Finds out by trying where a token keeps its balances and allowances, so that a transaction can be estimated as if both
 * were in place: writes a mark into each likely slot by state override and looks which one the token answers with.
 */
export async function findTokenSlots({ client }: Rpc, token: Address): Promise<TokenSlots> {
  const slots = [
    ...Array.from({ length: Number(probedSlots) }, (_, index) => BigInt(index)),
    namespacedSlot,
    namespacedSlot + 1n,
  ]
  const readBalance = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
  const readAllowance = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, spender] })
  let isComplete = true
  const answersMark = async (data: Hex, key: Hex): Promise<boolean> => {
    try {
      const overrides = { [token]: { stateDiff: { [key]: magic } } }
      return (
        (await client.request({ method: 'eth_call', params: [{ to: token, data }, 'latest', overrides] })) === magic
      )
    } catch (error) {
      const upstream = toUpstreamError(error)
      if (upstream.code !== 'svc/upstream-error') throw upstream
      isComplete = false
      return false
    }
  }
  const [balances, allowances] = await Promise.all([
    Promise.all(slots.map((slot) => answersMark(readBalance, balanceKey(slot, owner)))),
    Promise.all(slots.map((slot) => answersMark(readAllowance, allowanceKey(slot, owner, spender)))),
  ])
  const balanceSlot = slots[balances.indexOf(true)]
  const allowanceSlot = slots[allowances.indexOf(true)]
  return {
    isComplete: isComplete || (balanceSlot !== undefined && allowanceSlot !== undefined),
    balanceOf: (holder) => (balanceSlot === undefined ? undefined : balanceKey(balanceSlot, holder)),
    allowance: (holder, by) => (allowanceSlot === undefined ? undefined : allowanceKey(allowanceSlot, holder, by)),
  }
}

function balanceKey(slot: bigint, holder: Address): Hex {
  return keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [holder, slot]))
}

function allowanceKey(slot: bigint, holder: Address, by: Address): Hex {
  return keccak256(concatHex([encodeAbiParameters([{ type: 'address' }], [by]), balanceKey(slot, holder)]))
}
