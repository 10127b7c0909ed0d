import type { Address } from '@agio/core'
import { concatHex, encodeAbiParameters, encodeFunctionData, erc20Abi, keccak256, numberToHex, type Hex } from 'viem'
import type { Rpc } from '../selection/createRpc.ts'
import { classifyError } from '../errors/classifyError.ts'
import { toUpstreamError } from '../errors/toUpstreamError.ts'

const probedSlots = 16n
// The mappings of OpenZeppelin's upgradeable ERC-20 (ERC-7201).
const namespacedSlot = 0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n
const [probeOwner, probeSpender] = [
  '0x1000000000000000000000000000000000000a61',
  '0x2000000000000000000000000000000000000a61',
] as const
const marker = numberToHex(0xa610n, { size: 32 })

/** The storage slots of a token's balances and allowances; undefined if they were not found. */
export type TokenSlots = {
  /** Whether a node lacked the state, so that slots may be missing. */
  readonly isInterrupted: boolean
  /** Whether the slots of both the balances and the allowances were found. */
  readonly areFound: boolean
  findBalanceSlot(owner: Address): Hex | undefined
  findAllowanceSlot(owner: Address, spender: Address): Hex | undefined
}

/**
 * Finds the storage slots of a token's balances and allowances, so that gas can be estimated as if both were in place.
 * It sets each likely slot to a marker by state override, and finds the slot for which the token returns the marker.
 */
export async function findTokenSlots({ client }: Rpc, token: Address): Promise<TokenSlots> {
  const slots = [
    ...Array.from({ length: Number(probedSlots) }, (_, index) => BigInt(index)),
    namespacedSlot,
    namespacedSlot + 1n,
  ]
  const readBalance = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [probeOwner] })
  const readAllowance = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'allowance',
    args: [probeOwner, probeSpender],
  })
  let isInterrupted = false
  const returnsMarker = async (data: Hex, key: Hex): Promise<boolean> => {
    try {
      const overrides = { [token]: { stateDiff: { [key]: marker } } }
      return (
        (await client.request({ method: 'eth_call', params: [{ to: token, data }, 'latest', overrides] })) === marker
      )
    } catch (error) {
      const upstream = toUpstreamError(error)
      if (upstream.code !== 'svc/upstream-error') throw upstream
      isInterrupted ||= classifyError(error, 'eth_call').lacksState
      return false
    }
  }
  const [balances, allowances] = await Promise.all([
    Promise.all(slots.map((slot) => returnsMarker(readBalance, balanceKey(slot, probeOwner)))),
    Promise.all(slots.map((slot) => returnsMarker(readAllowance, allowanceKey(slot, probeOwner, probeSpender)))),
  ])
  const balanceSlot = slots[balances.indexOf(true)]
  const allowanceSlot = slots[allowances.indexOf(true)]
  const areFound = balanceSlot !== undefined && allowanceSlot !== undefined
  return {
    isInterrupted: isInterrupted && !areFound,
    areFound,
    findBalanceSlot: (holder) => (balanceSlot === undefined ? undefined : balanceKey(balanceSlot, holder)),
    findAllowanceSlot: (holder, spender) =>
      allowanceSlot === undefined ? undefined : allowanceKey(allowanceSlot, holder, spender),
  }
}

function balanceKey(slot: bigint, holder: Address): Hex {
  return keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [holder, slot]))
}

function allowanceKey(slot: bigint, holder: Address, spender: Address): Hex {
  return keccak256(concatHex([encodeAbiParameters([{ type: 'address' }], [spender]), balanceKey(slot, holder)]))
}
