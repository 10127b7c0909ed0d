import { recoverTypedDataAddress, type TypedDataDefinition } from 'viem'
import { expect, it } from 'vitest'
import { localAccounts } from './localAccounts.ts'
import { findTypedData, signTypedData } from './signTypedData.ts'

const [owner, spender, token] = [localAccounts[2].address, localAccounts[3].address, localAccounts[4].address] as const

const typedData: TypedDataDefinition = {
  domain: { name: 'Token', version: '1', chainId: 84532, verifyingContract: token },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'Permit',
  message: { owner, spender, value: '100000000', nonce: '0', deadline: '1795241836' },
}

it('typed data is signed by the account', async () => {
  const signature = await signTypedData(typedData, 2)
  expect(await recoverTypedDataAddress({ ...typedData, signature })).toBe(owner)
})

it('typed data is found on its own, in the first step of a plan, and in its envelope', () => {
  const plan = { steps: [{ kind: 'permit', typedData }, { kind: 'approve' }] }
  for (const response of [typedData, { typedData }, plan, { success: true, data: plan }]) {
    expect(findTypedData(response)).toEqual(typedData)
  }
  const approve = { steps: [{ kind: 'approve', transaction: {} }] }
  for (const response of [approve, { data: approve }, { steps: [] }, {}, [], null, 'a', undefined]) {
    expect(findTypedData(response)).toBeUndefined()
  }
})

it('typed data of a chain that is not local is refused, and so is an account that does not exist', async () => {
  const foreign = { ...typedData, domain: { ...typedData.domain, chainId: 1 } }
  await expect(signTypedData(foreign, 2)).rejects.toThrow('chain 1 is not a local chain')
  await expect(signTypedData(typedData, 10)).rejects.toThrow('--account must be 0 to 9')
})
