import { isAccountOf, useAgio, useNow } from '@agio/react/internal'
import type { Step } from '@agio/sdk'
import { useNetworks } from '../../settings/network.ts'
import { ErrorNotice } from '../../errors/ErrorNotice.tsx'
import { Address } from '../../ui/Address.tsx'
import { Button } from '../../ui/Button.tsx'
import { useWallet } from '../../wallet/useWallet.ts'
import {
  explainReplacing,
  findPendingHash,
  findSent,
  type Replacement,
  type ReplacementKind,
  useReplacements,
} from './replacements.ts'

// Most transactions are mined sooner.
const minWaitMs = 3000

/** Shows the buttons that speed up or cancel the pending transaction of a step, after a short wait. */
export function ReplaceActions({ step }: { readonly step: Step }) {
  const wallet = useWallet()
  const { agio } = useAgio()
  const transactionHash = findPendingHash(step)
  const { replacements, replace } = useReplacements()
  const isSlow = useNow() - Date.parse(step.at) >= minWaitMs
  const replacement = replacements[transactionHash ?? '']
  if (!transactionHash || !wallet || !isAccountOf(step, wallet.address) || (!isSlow && !replacement)) return null
  const isAsking = replacement?.phase === 'asking'
  return kinds.map((kind) => (
    <Button
      key={kind}
      size="small"
      isBusy={isAsking && replacement.kind === kind}
      aria-disabled={isAsking}
      onClick={() => void replace(agio, { step, kind, wallet })}
    >
      {labels[kind]}
    </Button>
  ))
}

const kinds = ['speed-up', 'cancel'] as const

const labels: Readonly<Record<ReplacementKind, string>> = { 'speed-up': 'Speed up', cancel: 'Cancel' }

/** Shows the progress of a replacement: requested, sent, or its error. */
export function ReplacementStatus({ step }: { readonly step: Step }) {
  const replacement = useReplacements(({ replacements }) => replacements[findPendingHash(step) ?? ''])
  const sent = replacement?.sent ?? findSent(step)
  return (
    <>
      <output className="note">
        {replacement?.phase === 'asking' && `Confirm the ${names[replacement.kind]} in your wallet.`}
        {replacement?.phase !== 'asking' && sent && <Sent sent={sent} chainId={step.state.chainId} />}
      </output>
      {replacement?.phase === 'failed' && (
        <ErrorNotice error={replacement.error} explanation={explainReplacing(replacement.error)} />
      )}
    </>
  )
}

/** The noun for each kind of replacement. */
export const names: Readonly<Record<ReplacementKind, string>> = { 'speed-up': 'speed-up', cancel: 'cancellation' }

function Sent({ sent: { kind, transactionHash }, chainId }: SentProps) {
  const { findTransactionUrl } = useNetworks()
  return (
    <>
      The {names[kind]} was sent. Only one of the transactions can be mined.{' '}
      <Address
        value={transactionHash}
        label={`the hash of the ${names[kind]}`}
        href={findTransactionUrl(chainId, transactionHash)}
      />
    </>
  )
}

type SentProps = { readonly sent: NonNullable<Replacement['sent']>; readonly chainId: number }
