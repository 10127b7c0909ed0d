import { tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import { encodeFunctionData } from 'viem'
import type { Stage } from '../Scenario.ts'

/** Where the tokens are meanwhile: an address of nobody's. */
const vault = '0x00000000000000000000000000000000000a1ea5' as const

/** Takes tokens out of a contract until the next reset, which brings as many back. What others do meanwhile stays. */
export async function takeTokens({ operator, onReset }: Stage, { token, holder, amountRaw }: takeTokens.Loan) {
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

export declare namespace takeTokens {
  type Loan = { readonly token: Address; readonly holder: Address; readonly amountRaw: bigint }
}
