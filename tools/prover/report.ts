import type { Proof, Proofs } from './prove.ts'
import { equivalents, type Result } from './tryMutants.ts'
import { domains } from './World.ts'
import { describeCommit, describeMachine } from '../../test/reports/describeRun.ts'

/** Returns the tables of proofs: laws, lemmas, and what keeps operations from overflowing. */
export function formatProofs({ laws, lemmas, obligations }: Proofs): string {
  const all = [...laws, ...lemmas, ...obligations]
  const seconds = all.reduce((sum, { ms }) => sum + ms, 0) / 1000
  const failed = all.filter(({ failure }) => failure !== undefined).length
  return [
    formatTable('law', laws),
    formatTable('lemma', lemmas),
    formatTable('no overflow', obligations),
    `${all.length - failed} proved, ${failed} not proved, in ${seconds.toFixed(1)} s`,
  ].join('\n\n')
}

/** Lists the proofs that failed, with the reasons. */
export function listFailures({ laws, lemmas, obligations }: Proofs): readonly string[] {
  return [...laws, ...lemmas, ...obligations].flatMap(({ name, failure }) =>
    failure === undefined ? [] : [`Not proved: ${name}: ${failure}`],
  )
}

/** Returns the table of mutants with the laws that refute them. */
export function formatMutants(results: readonly Result[]): string {
  const rows = results.map(({ mutant: { name }, refutedBy }) => [
    name,
    refutedBy ?? equivalents.get(name) ?? 'SURVIVED',
  ])
  const refuted = results.filter(({ refutedBy }) => refutedBy !== undefined).length
  const summary = `${refuted} of ${results.length} mutants refuted, ${results.length - refuted} survived`
  return `${toMarkdown([['mutant', 'refuted by, or why it is equivalent'], ...rows])}\n\n${summary}`
}

/** Returns docs/reference/laws.md. */
export function formatPage({ laws, lemmas, obligations }: Proofs): string {
  const date = new Date().toISOString().slice(0, 10)
  return `# Laws

Proved: ${date}. Commit: ${describeCommit()}. Machine: ${describeMachine()}.

\`pnpm prove\` proves these laws of our pools from the source code of \`contracts/PoolMath.sol\` and \`contracts/PoolQuotes.sol\`.
\`pnpm prove --write\` writes this page.

The proofs cover all integers, not samples. A law holds whenever its calls return. Its hypotheses are the checks of the
constructor and of the functions, and the promises of a rate reader: a price is positive, and a token has at most 18 decimals.

${formatTable('law', laws)}

## Bounds

No operation overflows, underflows or divides by zero in a pool with LP tokens and quote tokens, or with neither, within these
bounds. \`mulDiv\` multiplies with 512 bits, so only its result counts.

${toMarkdown([
  ['number', 'least', 'greatest'],
  ['amount, balance, value or LP tokens', '0', `2^${countBits(domains.amount.bound)} - 1`],
  ['price, 8 decimals', '1', `2^${countBits(domains.price.bound)} - 1`],
  ['decimals of a token', '0', domains.decimals.bound.toString()],
])}

${formatTable('function', obligations)}

Beyond these bounds an operation may panic, which reverts the transaction.

## Lemmas

Each law follows from facts of arithmetic that are proved first. The solver knows nothing else of quotients.

${formatTable('lemma', lemmas)}

## What the proofs trust

- The syntax tree of solc, and the meaning that \`tools/prover/\` gives to it. An unknown node, modifier, call or rounding is an error.
- \`mulDiv\` of OpenZeppelin. The tests in \`test/maths/\` compare its results with exact integers in the EVM.
- z3. Only the exact answer \`unsat\` is a proof.
- The tokens and rate readers: within a call, a view returns the same answer each time.

\`pnpm prove --mutants\` changes each rounding, comparison, constant and operator of the code. It fails if no law notices a change.
\`test/maths/pools.test.ts\` compares \`packages/core\` with the contracts, so the laws hold for the quotes of the service too.
[Decision 44](../decisions/0044-proofs.md) has the reasons.
`
}

function formatTable(head: string, proofs: readonly Proof[]): string {
  const rows = proofs.map(({ name, sentence, ms, failure }) => [
    name,
    sentence,
    failure === undefined ? `${(ms / 1000).toFixed(2)} s` : 'NOT PROVED',
  ])
  return toMarkdown([[head, 'what is proved', 'time'], ...rows])
}

function toMarkdown([head, ...rows]: readonly (readonly string[])[]): string {
  const lines = [head!, head!.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n')
}

function countBits(bound: bigint): number {
  return bound.toString(2).length
}
