import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import { SimpleStateManager } from '@ethereumjs/statemanager'
import { createAddressFromString, createPartialAccount, type Account, type Address } from '@ethereumjs/util'
import { bytesToHex, hexToBytes, keccak256, type Hex, type PublicClient } from 'viem'

type Client = Pick<PublicClient, 'getBlock' | 'getChainId' | 'getCode' | 'getStorageAt'>

/** Runs a view on the chain's state at one block. */
export type RunView = (call: { readonly to: Hex; readonly data: Hex }) => Promise<ViewResult>

/** The return data of a view, or the data of its revert. */
type ViewResult = { readonly success: boolean; readonly data: Hex }

/** Creates the EVM of `@ethereumjs/evm`, which shares no code with the local chains, on the state of their newest block. */
export async function createSecondEvm(client: Client): Promise<RunView> {
  const { number, timestamp, gasLimit } = await client.getBlock()
  const common = createCustomCommon({ chainId: await client.getChainId() }, Mainnet, { hardfork: Hardfork.Osaka })
  const evm = await createEVM({ common, stateManager: new StateAtBlock(client, number) })
  const coinbase = createAddressFromString(`0x${'00'.repeat(20)}`)
  const header = {
    number,
    timestamp,
    gasLimit,
    coinbase,
    difficulty: 0n,
    prevRandao: new Uint8Array(32),
    getBlobGasPrice: () => 1n,
  }
  return async ({ to, data }) => {
    const { execResult } = await evm.runCall({
      to: createAddressFromString(to),
      data: hexToBytes(data),
      block: { header },
      gasLimit,
      isStatic: true,
    })
    await evm.journal.cleanup()
    const { exceptionError, returnValue } = execResult
    // Only a revert is an answer of a contract. Any other exception is a fault of a test.
    if (exceptionError && exceptionError.error !== 'revert') throw new Error(`${to} ends with ${exceptionError.error}`)
    return { success: exceptionError === undefined, data: bytesToHex(returnValue) }
  }
}

/** The code and the storage of the contracts at a block, each read from the node when it is first used. */
class StateAtBlock extends SimpleStateManager {
  readonly #client: Client
  readonly #blockNumber: bigint
  readonly #codes = new Map<string, Promise<Uint8Array>>()
  readonly #slots = new Map<string, Promise<Uint8Array>>()

  constructor(client: Client, blockNumber: bigint) {
    super()
    this.#client = client
    this.#blockNumber = blockNumber
  }

  override async getAccount(address: Address): Promise<Account | undefined> {
    const changed = await super.getAccount(address)
    if (changed) return changed
    const code = await this.getCode(address)
    return createPartialAccount({ nonce: 0n, balance: 0n, codeHash: keccak256(code, 'bytes') })
  }

  override async getCode(address: Address): Promise<Uint8Array> {
    const at = address.toString()
    const code = this.#codes.get(at) ?? this.#readCode(at)
    this.#codes.set(at, code)
    return await code
  }

  override async getStorage(address: Address, key: Uint8Array): Promise<Uint8Array> {
    const [at, slot] = [address.toString(), bytesToHex(key)]
    const name = `${at} ${slot}`
    const word = this.#slots.get(name) ?? this.#readSlot(at, slot)
    this.#slots.set(name, word)
    return await word
  }

  /** Refuses changes: `getStorage` would not return them. */
  override async putStorage(): Promise<void> {
    throw new Error('Cannot write storage: only views are run')
  }

  async #readCode(address: Hex): Promise<Uint8Array> {
    return hexToBytes((await this.#client.getCode({ address, blockNumber: this.#blockNumber })) ?? '0x')
  }

  async #readSlot(address: Hex, slot: Hex): Promise<Uint8Array> {
    const word = await this.#client.getStorageAt({ address, slot, blockNumber: this.#blockNumber })
    return hexToBytes(word ?? '0x', { size: 32 })
  }
}
