import { permit2Address } from '@agio/chain'
import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import {
  createPublicClient,
  erc20Abi,
  http,
  pad,
  parseEventLogs,
  toEventSelector,
  type Hex,
  type Log,
  type PublicClient,
} from 'viem'
import type { ConversionReceipt } from '../../../packages/sdk/src/index.ts'
import type { Victim } from './accounts.ts'
import { checkCalls, checkSignature, isSame, type Accepted } from './limits.ts'

/** What happened in a run, besides the state of the chain. */
export type Evidence = {
  readonly victim: Victim
  readonly before: State
  /** Undefined if the application got no quote. */
  readonly accepted: Accepted | undefined
  /** Addresses that the answers named instead of others. */
  readonly named: readonly Address[]
  readonly receipt: ConversionReceipt | undefined
  /** Whether a node had the transaction of the receipt in a block when the receipt was returned. */
  readonly wasMined: boolean
  /** Whether the application was told that it may convert again. */
  readonly mayConvertAgain: boolean
}

/** The state of the accounts of a run. */
type State = {
  readonly blockNumber: bigint
  readonly nonce: number
  readonly signerWei: bigint
  readonly accountWei: bigint
}

const maxPrompts = 8
// The bounds of the SDK: 1.5 million gas without an estimate, and a tip of 0.1 gwei on an idle network.
const maxGas = 1_500_000n
const leastTipBound = 100_000_000n
const marketBlocks = 20n

/** Creates the check of the promises of the SDK on a chain. */
export async function createPromises(
  chain: LocalChain,
  { batchContract }: { readonly batchContract: Address },
): Promise<Promises> {
  const client = createPublicClient({ transport: http(chain.rpcUrl, { batch: true }) })
  const { router, pools } = chain.deployment
  const vouched = [router, ...pools]
  const tokenAddresses = Object.values(chain.tokens)
  const isVouched = (spender: unknown) => vouched.some((address) => isSame(address, spender))

  async function readAccounts({ address, signer }: Pick<Victim, 'address' | 'signer'>): Promise<State> {
    const [blockNumber, nonce, signerWei, accountWei] = await Promise.all([
      client.getBlockNumber({ cacheTime: 0 }),
      client.getTransactionCount({ address: signer }),
      client.getBalance({ address: signer }),
      client.getBalance({ address }),
    ])
    return { blockNumber, nonce, signerWei, accountWei }
  }

  async function readLogs({ victim: { address }, before }: Evidence): Promise<readonly Log[]> {
    const range = { fromBlock: `0x${(before.blockNumber + 1n).toString(16)}`, toBlock: 'latest' } as const
    const topics = [[transferTopic, approvalTopic], pad(address)]
    const logs = await client.request({ method: 'eth_getLogs', params: [{ ...range, topics }] } as never)
    return logs
  }

  /** Asserts that at most the accepted input left, in one transaction that paid at least the accepted minimum. */
  async function checkTransfers({ victim, accepted, mayConvertAgain }: Evidence, logs: readonly Log[]) {
    const broken: string[] = []
    const transfers = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: [...logs] })
    const hashes = new Set(transfers.map(({ transactionHash }) => transactionHash))
    if (hashes.size > 0 && !accepted) return ['1: tokens left without an accepted quote']
    if (!accepted) return []
    for (const { address } of transfers)
      if (!isSame(address, accepted.tokenIn)) broken.push(`1: the token ${address} left`)
    const sumRaw = sum(transfers.map(({ args }) => args.value))
    if (sumRaw > accepted.maxInRaw) broken.push(`1: ${sumRaw} left, accepted were ${accepted.maxInRaw}`)
    for (const hash of hashes) {
      const receivedRaw = await readReceived(hash, accepted)
      if (receivedRaw < accepted.minOutRaw)
        broken.push(`1: ${receivedRaw} arrived, accepted were ${accepted.minOutRaw}`)
    }
    if (hashes.size > 1) broken.push(`5: ${victim.address} converted ${hashes.size} times`)
    if (hashes.size > 0 && mayConvertAgain)
      broken.push('5: the conversion was made, and the error says to convert again')
    return broken
  }

  async function readReceived(hash: Hex, { tokenOut, recipient }: Accepted): Promise<bigint> {
    const { logs } = await client.getTransactionReceipt({ hash })
    const transfers = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs })
    const received = transfers.filter(({ address, args }) => isSame(address, tokenOut) && isSame(args.to, recipient))
    return sum(received.map(({ args }) => args.value))
  }

  /** Asserts that only contracts of the deployment got an allowance, of the input token, and none above the accepted input. */
  async function checkAllowances({ victim, accepted, named }: Evidence, logs: readonly Log[]) {
    const approvals = parseEventLogs({ abi: erc20Abi, eventName: 'Approval', logs: [...logs] })
    const given = approvals.map(({ address, args }) => ({
      token: address,
      spender: args.spender,
      amountRaw: args.value,
    }))
    const others = named.filter((spender) => !isVouched(spender))
    const held = others.flatMap((spender) =>
      tokenAddresses.map(async (token) => {
        const call = {
          address: token,
          abi: erc20Abi,
          functionName: 'allowance',
          args: [victim.address, spender],
        } as const
        return { token, spender, amountRaw: await client.readContract(call) }
      }),
    )
    return [...given, ...(await Promise.all(held))].flatMap(({ token, spender, amountRaw }) => {
      if (
        amountRaw === 0n ||
        (isVouched(spender) && isSame(token, accepted?.tokenIn) && amountRaw <= (accepted?.maxInRaw ?? 0n))
      )
        return []
      // Not given in this run: a payment by Permit2 needs the allowance of Permit2 before.
      if (isSame(spender, permit2Address) && !given.some((each) => isSame(each.spender, spender))) return []
      return [`2: ${spender} may take ${amountRaw} of ${token}`]
    })
  }

  /** Asserts that the limits of calls are the accepted ones, that gas is bounded, and that no other native currency left. */
  async function checkSent({
    victim: { address, signer, signed },
    before,
    accepted,
  }: Evidence): Promise<readonly string[]> {
    const after = await readAccounts({ address, signer })
    const [sent, code] = await Promise.all([
      Promise.all(signed.hashes.map((hash) => readSent(hash, before))),
      client.getCode({ address: signer }),
    ])
    const mined = sent.filter((each) => each !== undefined)
    const broken = mined.flatMap(({ input }) => checkCalls(input, accepted))
    for (const { gas, feeWei, feeBound, isBatch } of mined) {
      if (gas > maxGas && !isBatch) broken.push(`3: a gas limit of ${gas}`)
      if (feeWei > maxGas * feeBound) broken.push(`3: ${feeWei} wei for gas`)
    }
    const paidWei = before.signerWei - after.signerWei
    if (paidWei !== sum(mined.map(({ feeWei }) => feeWei))) broken.push(`3: ${paidWei} wei left besides the gas`)
    if (address !== signer && after.accountWei !== before.accountWei) broken.push('3: native currency left the account')
    if (after.nonce - before.nonce > maxPrompts) broken.push(`6: ${after.nonce - before.nonce} transactions`)
    if (code && !isSame(code.slice(-40), batchContract.slice(2))) broken.push('2: the account delegates to other code')
    return broken
  }

  async function readSent(hash: Hex, before: State) {
    const receipt = await client.getTransactionReceipt({ hash }).catch(() => undefined)
    if (!receipt) return undefined
    const { gasUsed, effectiveGasPrice, blockNumber } = receipt
    const [{ gas, to, from, input }, feeBound] = await Promise.all([
      client.getTransaction({ hash }),
      readFeeBound(client, { after: before.blockNumber, before: blockNumber }),
    ])
    return { gas, input, feeWei: gasUsed * effectiveGasPrice, feeBound, isBatch: to === from }
  }

  /** Asserts that a returned receipt is the chain's. */
  async function checkReceipt({ victim, receipt, accepted, wasMined }: Evidence): Promise<readonly string[]> {
    if (!receipt) return []
    if (!wasMined || !accepted) return ['4: the receipt is of a transaction that was not mined']
    const { status, logs, blockNumber } = await client.getTransactionReceipt({ hash: receipt.transactionHash })
    const transfers = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs })
    const paid = transfers.filter(
      ({ address, args }) => isSame(address, accepted.tokenIn) && isSame(args.from, victim.address),
    )
    const paidRaw = sum(paid.map(({ args }) => args.value))
    const receivedRaw = await readReceived(receipt.transactionHash, accepted)
    const facts: Readonly<Record<string, boolean>> = {
      status: status === 'success' && receipt.status === 'success',
      payment: paidRaw > 0n,
      amountIn: toRaw(receipt.amountIn) === paidRaw,
      amountOut: toRaw(receipt.amountOut) === receivedRaw,
      blockNumber: BigInt(receipt.blockNumber ?? -1) === blockNumber,
    }
    return Object.entries(facts).flatMap(([fact, holds]) => (holds ? [] : [`4: the ${fact} of the receipt`]))
  }

  return {
    readState: readAccounts,
    async isMined(hash) {
      const receipt = await client.getTransactionReceipt({ hash: hash as Hex }).catch(() => undefined)
      return receipt !== undefined
    },
    async findBroken(evidence) {
      const logs = await readLogs(evidence)
      const { victim } = evidence
      const prompts = victim.countPrompts()
      const onChain = await Promise.all([
        checkTransfers(evidence, logs),
        checkAllowances(evidence, logs),
        checkSent(evidence),
        checkReceipt(evidence),
      ])
      const broken = [
        ...onChain.flat(),
        ...victim.signed.typedData.flatMap((typedData) =>
          checkSignature(typedData, { accepted: evidence.accepted, chainId: chain.chainId, isVouched }),
        ),
        ...(prompts > maxPrompts ? [`6: ${prompts} prompts`] : []),
      ]
      return [...new Set(broken)]
    },
  }
}

/**
 * Returns the highest fee per gas that the SDK may accept, in wei, doubled for replacements.
 *
 * @param run the block before the run, and the block with the transaction. The SDK reads the market at any block in between.
 */
async function readFeeBound(
  client: PublicClient,
  run: { readonly after: bigint; readonly before: bigint },
): Promise<bigint> {
  const newest = run.before - 1n
  const { baseFeePerGas, reward = [] } = await client.getFeeHistory({
    blockNumber: newest,
    blockCount: Number(newest - run.after + marketBlocks),
    rewardPercentiles: [50],
  })
  return 2n * (4n * max(baseFeePerGas) + max([leastTipBound, ...reward.flat().map((tip) => 10n * tip)]))
}

export type Promises = {
  /** Reads the state of a victim before a run. */
  readState(victim: Victim): Promise<State>
  /** Returns whether a transaction is in a block. */
  isMined(hash: string): Promise<boolean>
  /**
   * Lists the promises of the SDK that a run has broken, by their numbers in "What the SDK checks":
   *
   * 1. At most the accepted input leaves, and only if the accepted minimum reaches the recipient in the same transaction.
   * 2. No allowance and no permit for other contracts, and none above what the conversion needs.
   * 3. Gas costs at most a bound.
   * 4. A returned receipt was seen by the node.
   * 5. One conversion never converts twice.
   * 6. At most eight prompts.
   */
  findBroken(evidence: Evidence): Promise<string[]>
}

const transferTopic = toEventSelector('Transfer(address,address,uint256)')
const approvalTopic = toEventSelector('Approval(address,address,uint256)')

// All tokens of the local chains.
const decimals = 6

/** Parses an amount in whole tokens. Undefined if it is not an amount of these tokens. */
export function toRaw(amount: unknown): bigint | undefined {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+?)0*)?$/.exec(String(amount)) ?? []
  if (whole === undefined || fraction.length > decimals) return undefined
  return BigInt(`${whole}${fraction.padEnd(decimals, '0')}`)
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n)
}

function max(values: readonly bigint[]): bigint {
  return values.reduce((highest, value) => (value > highest ? value : highest), 0n)
}
