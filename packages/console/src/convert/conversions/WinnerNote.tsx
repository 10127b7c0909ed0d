import { findTransactionUrl } from '../../settings/network.ts'
import { Address } from '../../ui/Address.tsx'
import styles from './ConversionCard.module.css'
import type { Winner } from './findWinner.ts'
import { names } from './ReplaceActions.tsx'

/** Shows which transaction was mined and which was not. */
export function WinnerNote({ winner, chainId }: { readonly winner: Winner; readonly chainId: number }) {
  const { transactionHash, loser } = winner
  return (
    <div className="note">
      <p>{toSentence(winner)}</p>
      <p className={styles['hashes']}>
        <span>
          Mined:{' '}
          <Address
            value={transactionHash}
            label="the hash of the mined transaction"
            href={findTransactionUrl(chainId, transactionHash)}
          />
        </span>
        {loser !== undefined && (
          <span>
            Not mined: <Address value={loser} label="the hash of the other transaction" />
          </span>
        )}
      </p>
    </div>
  )
}

function toSentence({ kind, loser, late = 'speed-up' }: Winner): string {
  if (kind !== 'original') return `${titles[kind]} was mined instead of the first transaction.`
  return loser === undefined
    ? `The transaction was already mined, so no ${names[late]} was sent.`
    : `The first transaction was mined before the ${names[late]}.`
}

const titles = { 'speed-up': 'The speed-up', cancel: 'The cancellation', other: 'Another transaction' } as const
