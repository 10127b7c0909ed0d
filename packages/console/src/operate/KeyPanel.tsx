import { Decimal, useNow } from '@agio/react/internal'
import type { ApiKey, KeyStats } from '@agio/sdk/admin'
import { useState } from 'react'
import { AdminErrorNotice } from './AdminKeyForm.tsx'
import { EditKeyDialog } from './KeyForm.tsx'
import { EraseDialog, RevokeDialog, RotateDialog } from './keyDialogs.tsx'
import { listKeyBadges } from './keyList.ts'
import styles from './operate.module.css'
import { useKeys } from './useAdmin.ts'
import { KeyTime } from '../time/Age.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { MonthUsage } from '../usage/MonthUsage.tsx'
import { type Month, formatPeriod } from '../usage/months.ts'

const series = ['Calls']

/** Shows one key: its owner, its usage in a month, and the buttons that rotate and revoke it. */
export function KeyPanel({ stats, month }: KeyPanel.Props) {
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'revoke' | 'erase'>()
  const { id, name, tier, revokedAt, days, callsByOperation } = stats
  const isActive = revokedAt === undefined
  const key = useKeys().data?.get(id)
  const badges = listKeyBadges({ ...key, revokedAt }, useNow(60_000))
  const close = () => setDialog(undefined)
  const action = (kind: 'rotate' | 'revoke') => ({
    'aria-disabled': !isActive,
    onClick: () => isActive && setDialog(kind),
  })
  return (
    <Panel
      title={name}
      actions={
        // Kept after a revocation, because the dialog returns the focus to them.
        <>
          <Button size="small" aria-disabled={!key || !isActive} onClick={() => key && isActive && setDialog('edit')}>
            Edit
          </Button>
          <Button size="small" {...action('rotate')}>
            Rotate
          </Button>
          <Button size="small" variant="danger" {...action('revoke')}>
            Revoke
          </Button>
          {name !== '' && (
            <Button size="small" variant="danger" onClick={() => setDialog('erase')}>
              Erase
            </Button>
          )}
        </>
      }
    >
      <p className={styles['state']}>
        <Badge>{tier}</Badge>
        {badges.map(({ text, tone }) => (
          <Badge key={text} tone={tone}>
            {text}
          </Badge>
        ))}
      </p>
      <Owner stats={stats} />
      <MonthUsage
        of={name}
        month={month}
        series={series}
        days={days.map((day) => ({ ...day, callsBySeries: { Calls: day.calls } }))}
        callsByOperation={callsByOperation}
      />
      {dialog === 'edit' && key && <EditKeyDialog of={key} onClose={close} />}
      {dialog === 'erase' && <EraseDialog stats={stats} onClose={close} />}
      {dialog === 'rotate' && <RotateDialog stats={stats} onClose={close} />}
      {dialog === 'revoke' && <RevokeDialog stats={stats} onClose={close} />}
    </Panel>
  )
}

export declare namespace KeyPanel {
  type Props = { readonly stats: KeyStats; readonly month: Month }
}

/** Shows the details from the creation of the key. */
function Owner({ stats: { id, prefix, revokedAt } }: { readonly stats: KeyStats }) {
  const { data, error, errorUpdatedAt } = useKeys()
  const key = data?.get(id)
  if (error) return <AdminErrorNotice error={error} at={errorUpdatedAt} />
  const stated = (value: string | undefined) => (key ? (value ?? '–') : <Skeleton width="8rem" />)
  return (
    <dl className={styles['owner']}>
      <div>
        <dt>Id</dt>
        <dd>
          <code>{id}</code>
          <CopyButton text={id} label="Copy the id of the key" />
        </dd>
      </div>
      <Fact name="Secret begins with">
        <code>{prefix}</code>
      </Fact>
      <Fact name="Company">{stated(key?.company)}</Fact>
      <Fact name="Email">{stated(key?.email)}</Fact>
      <Fact name="Use">{stated(key?.useCase)}</Fact>
      <Fact name="Expected volume">{stated(key?.expectedVolume)}</Fact>
      {key?.limits && <Fact name="Limits">{formatLimits(key.limits)}</Fact>}
      {key && <Fact name="Kind">{key.kind === 'publishable' ? 'Publishable' : 'Secret'}</Fact>}
      {key && <Fact name="Scopes">{key.scopes?.join(', ') ?? 'All'}</Fact>}
      {key && <Fact name="Web pages">{key.allowedOrigins?.join(', ') ?? 'Any origin'}</Fact>}
      {key && (
        <Fact name="Networks">
          {key.allowedCidrs?.join(', ') ?? 'Any address'}{' '}
          {key.isCidrDryRun === true && <Badge tone="warning">Dry run</Badge>}
        </Fact>
      )}
      {key?.expiresAt !== undefined && (
        <Fact name="Expires">
          <KeyTime at={key.expiresAt} hasTime />
        </Fact>
      )}
      {revokedAt !== undefined && (
        <Fact name="Revoked">
          <KeyTime at={revokedAt} hasTime />
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function formatLimits({ requests, windowSeconds, burstPerSecond, monthlyQuota }: NonNullable<ApiKey['limits']>) {
  const rate = `${Decimal.format(String(requests))} per ${formatPeriod(windowSeconds)}`
  return `${rate}, ${Decimal.format(String(burstPerSecond))} per second, ${Decimal.format(String(monthlyQuota))} per month`
}
