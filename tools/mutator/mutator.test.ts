import { expect, it } from 'vitest'
import { findUnexplained, summarize } from './explained.ts'
import { applyMutant } from './listSourceMutants.ts'
import { listCandidates, sampleCandidates, type SourceResult } from './trySourceMutants.ts'

const candidates = listCandidates()

it('each explained mutant is a mutant of the contracts', () => {
  expect(findUnexplained([], candidates)).toEqual([])
})

it('a seed chooses the same mutants again, each once', () => {
  const chosen = sampleCandidates(candidates, { seed: 7, count: 50 })
  expect(sampleCandidates(candidates, { seed: 7, count: 50 })).toEqual(chosen)
  expect(new Set(chosen).size).toBe(50)
})

it.each([
  [
    'Faucet.claimAll: IERC20(token).safeTransfer(msg.sender, amount), removed',
    '            {}\n            emit Claimed',
  ],
  ['Pool.setGuardian: onlyOwner, removed', 'function setGuardian(address newGuardian) external  {'],
  ['Pool._pull: received < amount, with <= for <', 'if (received <= amount) revert TransferMismatch'],
  ['Pool._pull: _balanceOf(token) - before, with + for -', '_balanceOf(token) + before;'],
  [
    'Router.viewOriginSwap: if (_isDirect(route)) return amount, with the condition negated',
    'if (!(_isDirect(route))) ',
  ],
  ['PermitPayment.usePermit: signature[:32], with 32 minus one', 'bytes32(signature[:(32 - 1)])'],
  [
    'Faucet.claimAll: Claimed(msg.sender, token, amount), with the arguments 1 and 2 exchanged',
    'emit Claimed(token, msg.sender, amount);',
  ],
])('the mutant "%s" changes its code only', (name, code) => {
  const { mutant, source } = candidates.find((candidate) => candidate.mutant.name === name)!
  const changed = applyMutant(source, mutant)
  expect(source).not.toContain(code)
  expect(changed).toContain(code)
  const { start, end, text } = mutant
  expect([changed.slice(0, start), changed.slice(start + text.length)]).toEqual([
    source.slice(0, start),
    source.slice(end),
  ])
})

it('a survivor without a reason and an explained mutant that a test refutes are unexplained', () => {
  const known = candidates.find(({ mutant }) => mutant.name.includes('_findPool(quote, target), with'))
  const unknown = candidates.find(({ mutant }) => mutant.name.startsWith('Pool.'))
  const results: readonly SourceResult[] = [
    { mutant: known!.mutant, outcome: 'killed', killedBy: 'a test', seconds: 1 },
    { mutant: unknown!.mutant, outcome: 'survived', seconds: 1 },
  ]
  expect(findUnexplained(results, candidates)).toEqual([
    `explained, but refuted by a test: ${known!.mutant.name}`,
    `survived: ${unknown!.mutant.name}`,
  ])
  expect(summarize(results)).toMatchObject({ score: '50.0 %', tried: 2 })
})
