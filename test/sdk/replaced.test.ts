import type { Hex } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import type { Conversion, ConvertOptions, Eip1193Provider, Step } from '../../packages/sdk/src/index.ts'
import type { TestWallet } from '../../packages/sdk/src/testing.ts'
import { eventually } from '../harness/timeLimits.ts'
import { setUp } from '../harness/setUp.ts'
import { moveClock } from './moveClock.ts'
import { recordSteps } from './recordSteps.ts'
import { startSdkStack } from './startSdkStack.ts'

const chainId = 84532
const other = '0x000000000000000000000000000000000000a610'

type OnSent = (hash: Hex, wallet: TestWallet) => Promise<void>

describe('a wallet that replaces what it sent', () => {
  const stack = setUp(startSdkStack)

  /** Converts, with no block between the wallet's confirmation and the reaction to it. */
  async function convert(
    { kind, onSent }: { readonly kind: Step['kind']; readonly onSent: OnSent },
    options: Partial<ConvertOptions> = {},
  ) {
    const wallet = await stack.createFundedWallet({ holding: { tAUD: '100' } })
    const quote = await stack.agio.quote(stack.request)
    const onStep = async (step: Step) => {
      if (step.kind === kind && step.status === 'waiting-for-wallet')
        await stack.scenarios.run('no-mining', { chainId })
      if (step.kind === kind && step.status === 'sent' && step.transactionHash)
        await onSent(step.transactionHash, wallet)
    }
    const watched: Eip1193Provider = {
      async request(args) {
        if (args.method === 'eth_getTransactionByHash') looked.add((args.params as [Hex])[0])
        return await wallet.request(args)
      },
    }
    const conversion: Conversion = stack.agio.convert({ quote, wallet: watched, onStep, ...options })
    return { wallet, ...(await recordSteps(conversion)) }
  }
  /** The hashes that the SDK has read from the node. */
  const looked = new Set<Hex>()
  /** Does something once the SDK has read the transaction from the node, and its cursor from the service. */
  function later(act: OnSent, hasBegun = (hash: Hex) => stack.hasCursor(hash)): OnSent {
    return async (hash, wallet) => {
      const wait = async () => {
        await vi.waitUntil(() => hasBegun(hash), eventually)
        await act(hash, wallet)
      }
      void wait()
    }
  }

  it('a conversion that is sped up is confirmed under its new hash', async () => {
    let faster: Hex = '0x'
    const { steps, receipt, wallet } = await convert({
      kind: 'convert',
      onSent: async (hash, sender) => {
        faster = await sender.speedUp(hash)
        await stack.mine()
      },
    })
    expect(receipt).toMatchObject({ status: 'success', transactionHash: faster })
    expect(await stack.readSpent(wallet)).toBe(10_000_000n)
    for (const step of steps.filter(({ kind }) => kind === 'convert')) {
      expect(await stack.agio.resume(step, { wallet })).toMatchObject({ transactionHash: faster })
    }
    expect(await stack.readSpent(wallet)).toBe(10_000_000n)
  })

  it('a conversion that is sped up while it is watched is told under both hashes', async () => {
    const faster: Hex[] = []
    const { steps, receipt } = await convert({
      kind: 'convert',
      onSent: later(async (hash, sender) => {
        faster.push(await sender.speedUp(hash))
        await stack.mine()
      }),
    })
    const sped = steps.find(({ kind, status }) => kind === 'confirm' && status === 'sent')
    expect(sped).toMatchObject({ transactionHash: faster[0], replaced: steps[6]?.transactionHash })
    expect(receipt).toMatchObject({ transactionHash: faster[0] })
  })

  it('error: convert/replaced when the user cancels the conversion, also when it is resumed', async () => {
    const hashes: Record<string, Hex> = {}
    const { steps, error, wallet } = await convert({
      kind: 'convert',
      onSent: later(async (hash, sender) => {
        Object.assign(hashes, { transactionHash: hash, replacedBy: await sender.cancel(hash) })
        await stack.mine()
      }),
    })
    expect(error).toMatchObject({ code: 'convert/replaced', details: hashes })
    expect(steps.at(-1)).toMatchObject({ kind: 'confirm', status: 'failed', error: { code: 'convert/replaced' } })
    expect(await stack.readSpent(wallet)).toBe(0n)
  })

  it('an approval that is sped up counts, and one that is cancelled is asked for again', async () => {
    let faster: Hex | undefined
    const sped = await convert(
      {
        kind: 'approve',
        onSent: async (hash, sender) => {
          // The step of the speed-up follows the step of the approval.
          if (faster !== undefined) return
          faster = await sender.speedUp(hash)
          await stack.mine()
        },
      },
      { approval: 'approve' },
    )
    expect(sped.receipt).toMatchObject({ status: 'success' })
    const approvals = sped.steps.filter(({ kind, status }) => kind === 'approve' && status === 'sent')
    expect(approvals.map(({ transactionHash }) => transactionHash)).toEqual([
      expect.not.stringMatching(faster ?? ''),
      faster,
    ])

    let isCancelled = false
    const cancelled = await convert(
      {
        kind: 'approve',
        onSent: later(
          async (hash, sender) => {
            if (!isCancelled) await sender.cancel(hash)
            isCancelled = true
            await stack.mine()
          },
          (hash) => looked.has(hash),
        ),
      },
      { approval: 'approve' },
    )
    expect(cancelled.receipt).toMatchObject({ status: 'success' })
    expect(cancelled.told.filter((text) => text === 'approve sent')).toHaveLength(2)
    expect(await stack.readSpent(cancelled.wallet)).toBe(10_000_000n)
  })

  it('the SDK requests an unknown approval again two minutes after another transaction took its nonce', async () => {
    using clock = moveClock()
    let isReplaced = false
    const { receipt, told, wallet } = await convert(
      {
        kind: 'approve',
        onSent: async (hash, sender) => {
          if (isReplaced) {
            await stack.mine()
            return
          }
          isReplaced = true
          await stack.client.dropTransaction({ hash })
          await sender.request({
            method: 'eth_sendTransaction',
            params: [{ from: sender.address, to: other, value: '0x1' }],
          })
          await stack.mine()
          await later(
            async () => clock.pass(120_000),
            () => looked.has(hash),
          )(hash, sender)
        },
      },
      { approval: 'approve' },
    )
    expect(receipt).toMatchObject({ status: 'success' })
    expect(told.filter((text) => text === 'approve sent')).toHaveLength(2)
    expect(await stack.readSpent(wallet)).toBe(10_000_000n)
  })

  it('error: convert/dropped when the deadline passes and the transaction is gone', async () => {
    const { error, steps, wallet } = await convert({
      kind: 'convert',
      onSent: async (hash) => {
        await stack.client.dropTransaction({ hash })
        await stack.mine()
        await stack.pass(61)
      },
    })
    expect(error).toMatchObject({ code: 'convert/dropped', details: { transactionHash: steps[6]?.transactionHash } })
    expect(await stack.readSpent(wallet)).toBe(0n)
  })

  it('error: svc/deadline-passed when the transaction is mined too late, with its receipt', async () => {
    const { error, steps, wallet } = await convert({
      kind: 'convert',
      onSent: async () => {
        await stack.skip(61)
        await stack.mine()
      },
    })
    expect(error).toMatchObject({ code: 'svc/deadline-passed', action: 'requote', retryable: false })
    expect(steps.at(-1)).toMatchObject({ kind: 'confirm', status: 'failed', receipt: { status: 'failed' } })
    expect(await stack.readSpent(wallet)).toBe(0n)
  })

  it('a transaction of another purpose with the next nonce is not a replacement', async () => {
    const { receipt, wallet } = await convert({
      kind: 'convert',
      onSent: async (_, sender) => {
        const from = sender.address
        await sender.request({ method: 'eth_sendTransaction', params: [{ from, to: other, value: '0x1' }] })
        await stack.mine()
      },
    })
    expect(receipt).toMatchObject({ status: 'success' })
    expect(await stack.readSpent(wallet)).toBe(10_000_000n)
  })
})
