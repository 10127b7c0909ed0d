import { expect, it } from 'vitest'
import { breakOff } from '../harness/answers.ts'
import { eventually } from '../harness/timeLimits.ts'
import { startTcpProxy } from '../harness/startTcpProxy.ts'
import { signTransfer } from './signTransfer.ts'
import { codeOf, countReads, useUpstreams } from './startUpstreams.ts'

// The probes and the verification in use are proven on a fake clock: packages/chain/src/selection/createRpc.test.ts.

const wrong = { position: 1, state: 'wrong-chain', code: 'svc/upstream-error', servedChainId: 421_614 }
const message = 'Cannot read the chain: its node serves chain 421614, not chain 84532'

const upstreams = useUpstreams()
const getOtherUrl = () => upstreams.localnet.chains[421614].rpcUrl

it('a node of another chain is reported at the start, without a request', async () => {
  const { second, open } = upstreams
  second.setUpstream(getOtherUrl())
  const { reports } = open()
  await expect.poll(() => reports, eventually).toMatchObject([{ ...wrong, position: 2 }])
})

it('a node of another chain is not used: the first read goes to the next node', async () => {
  const { first, second, open } = upstreams
  first.setUpstream(getOtherUrl())
  const chain = open()
  const others = countReads(second)
  await chain.read()
  expect(countReads(second)).toBe(others + 1)
  expect(chain.reports).toMatchObject([wrong])
  // Probes for the right chain go on.
  const readsBefore = countReads(first)
  for (let count = 0; count < 5; count += 1) await chain.read()
  expect(countReads(first)).toBe(readsBefore)
})

it('a node of another chain is used at once after a reset of its circuit, if it serves the right chain by then', async () => {
  const { first, open } = upstreams
  first.setUpstream(getOtherUrl())
  const chain = open([first.url])
  expect(await codeOf(chain.read())).toBe('svc/upstream-error')
  first.setUpstream(upstreams.chain.rpcUrl)
  chain.nodes.resetCircuits()
  expect(await codeOf(chain.read())).toBe('ok')
})

it('a node of another chain gets no transaction', async () => {
  const { first, open } = upstreams
  first.setUpstream(getOtherUrl())
  const { transactions } = open([first.url])
  const { signed } = await signTransfer(upstreams.chain)
  const requestsBefore = first.requests.length
  await expect(transactions.send(await transactions.decodeSigned(signed))).rejects.toMatchObject({ message })
  expect(first.requests.slice(requestsBefore).some(({ body }) => body.includes('eth_sendRawTransaction'))).toBe(false)
})

it('a node that serves another chain after a single fault is not used over HTTP', async () => {
  const { first, second, open } = upstreams
  const chain = open()
  await chain.read()
  first.setAnswer(breakOff)
  await chain.read()
  first.setUpstream(getOtherUrl())
  first.reset()
  const others = countReads(second)
  await chain.read()
  expect(countReads(second)).toBe(others + 1)
  // Polls may have met the same fault, and opened the circuit first. Then a probe finds the other chain.
  await expect.poll(() => chain.reports.at(-1), eventually).toMatchObject(wrong)
})

it('a node that serves another chain over a new WebSocket is used neither for reads nor for its blocks', async () => {
  await using wire = await startTcpProxy(upstreams.chain.rpcUrl)
  const chain = upstreams.open([wire.url.replace(/^http/, 'ws')])
  await chain.read()
  const known = (await chain.pools.getSnapshot()).block.number
  wire.setTarget(getOtherUrl())
  await wire.cut()
  await wire.restore()
  await expect.poll(() => chain.nodes.list(), eventually).toEqual([{ position: 1, state: 'wrong-chain' }])
  await expect(chain.read()).rejects.toMatchObject({ message })
  await expect.poll(() => wire.countConnections(), eventually).toBe(0)
  expect(chain.heads.state().head?.number).toBe(known)

  wire.setTarget(upstreams.chain.rpcUrl)
  await expect.poll(() => codeOf(chain.read()), eventually).toBe('ok')
})
