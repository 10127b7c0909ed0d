import { tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import { encodeFunctionData } from 'viem'
import type { ScenarioContext } from '../definition/defineScenario.ts'

/** Holds the withdrawn tokens until the reset. No private key is known for this address. */
const vault = '0x00000000000000000000000000000000000a1ea5' as const

/** Transfers tokens out of a contract; the next reset transfers the same amount back. */
export async function withdrawUntilReset(
  { operator, onReset }: ScenarioContext,
  { token, holder, amountRaw }: withdrawUntilReset.Withdrawal,
): Promise<void> {
  if (amountRaw <= 0n) return
  onReset(async () => {
    const left = await readBalance(vault)
    await transfer(vault, holder, left < amountRaw ? left : amountRaw)
  })
  await transfer(holder, vault, amountRaw)

  async function readBalance(owner: Address): Promise<bigint> {
    const read = { address: token, abi: tokenAbi, functionName: 'balanceOf', args: [owner] } as const
    return await operator.client.readContract(read)
  }
  async function transfer(from: Address, to: Address, amount: bigint): Promise<void> {
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, amount] })
    await operator.sendAs(from, token, data)
  }
}

export declare namespace withdrawUntilReset {
  type Withdrawal = { readonly token: Address; readonly holder: Address; readonly amountRaw: bigint }
}
