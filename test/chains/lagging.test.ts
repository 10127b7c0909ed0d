import { parseEther } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import { validInputs } from '../harness/validInputs.ts'
import { error, errorOf, resultOf } from '../harness/answers.ts'
import { eventually } from '../harness/timeLimits.ts'
import { headPoll, isHeadPoll } from '../harness/startProxy.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { sendTransaction } from '../harness/writeContract.ts'
import { setUpHeads, expectFailure } from './setUpHeads.ts'

const nodes = setUpHeads()
const { serve, readBlock, mine, countPolls } = nodes

describe('a node that lags behind another', () => {
  it('a node that lags does not move previews back to an older block before the maximum age of the head', async () => {
    const { url, preview } = await serve([nodes.http.url], { snapshotMaxAgeMs: 5000 })
    const older = await readBlock()
    await waitForBlock(url, nodes.localnet.chains[84532])
    for (let count = 0; count < 3; count += 1) {
      await mine()
      await waitForBlock(url, nodes.localnet.chains[84532])
    }
    const { data } = await preview()
    const newest = Number(data?.['blockNumber'])
    nodes.http.setAnswer(resultOf(headPoll, older))
    const polls = countPolls()
    const confirmedAtMs = nodes.http.requests.findLast(isHeadPoll)?.receivedAtMs ?? Infinity
    while (countPolls() < polls + 3) expect(await preview()).toMatchObject({ data: { blockNumber: newest } })

    // A head that no node confirms is used for its maximum age, and not forever.
    const isBack = async () => (await preview()).data?.['blockNumber'] === Number(older.number)
    await vi.waitUntil(isBack, eventually)
    expect(performance.now() - confirmedAtMs).toBeGreaterThan(4950)
    nodes.http.reset()
    await vi.waitUntil(async () => (await preview()).data?.['blockNumber'] === newest, eventually)
  })

  it('a reorganisation to a lower block is not mistaken for a node that lags', async () => {
    const { url, preview } = await serve([nodes.http.url])
    const id = await nodes.owner.client.snapshot()
    for (let count = 0; count < 3; count += 1) {
      await mine()
      await waitForBlock(url, nodes.localnet.chains[84532])
    }
    await preview()
    await nodes.owner.client.revert({ id })
    await sendTransaction(nodes.owner.client, { to: nodes.owner.address, value: parseEther('1') })
    await waitForBlock(url, nodes.localnet.chains[84532])
    const { number } = await nodes.owner.client.getBlock()
    expect(await preview()).toMatchObject({ status: 200, data: { blockNumber: Number(number) } })
  })

  it('state is read from the next URL if a node does not know the block yet', async () => {
    nodes.http.setAnswer(errorOf('eth_call', { code: -32000, message: 'header not found' }))
    const { preview } = await serve([nodes.http.url, nodes.localnet.chains[84532].rpcUrl])
    expect(await preview()).toMatchObject({ status: 200 })
  })

  it('state is requested once more if one of many nodes behind a URL does not know the block yet', async () => {
    const { preview } = await serve([nodes.http.url])
    let refused = 0
    nodes.http.setAnswer(async (request, response, callNode) => {
      const isCall = request.calls.some(({ method }) => method === 'eth_call')
      if (isCall && (refused += 1) === 1)
        return error({ code: -32000, message: 'unknown block' })(request, response, callNode)
      response.writeHead(200, { 'content-type': 'application/json' }).end(await callNode())
    })
    expect(await preview()).toMatchObject({ status: 200 })
    expect(refused).toBeGreaterThan(1)
  })

  it.each([
    { code: -32000, message: 'header not found' },
    { code: -32001, message: 'block not found' },
    { code: -32602, message: 'unknown block' },
  ])(
    'a node that does not know the block ($code) is 502 svc/upstream-error, and the next request works',
    async (fault) => {
      const { call, preview } = await serve([nodes.http.url])
      const inputs = validInputs(nodes.localnet.chains[84532])
      nodes.http.setAnswer(errorOf('eth_call', fault))
      for (const operation of ['convert.preview', 'liquidity.previewDeposit', 'transaction.buildConvert'] as const) {
        expectFailure(await call(operation, inputs[operation]), '502 svc/upstream-error')
      }
      nodes.http.reset()
      expect(await preview()).toMatchObject({ status: 200 })
    },
  )
})
