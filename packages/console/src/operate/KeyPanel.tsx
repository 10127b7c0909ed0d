import { Decimal, useNow } from '@agio/react/internal'
import type { ApiKey, KeyStats } from '@agio/sdk/admin'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { KeyTime } from '../time/Age.tsx'
import { Badge } from '../ui/Notice.tsx'
import { Button, CopyButton } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { SelectField, TextField } from '../ui/Field.tsx'
import { Fact, Facts, Panel, Skeleton, Stack } from '../ui/Panel.tsx'
import { MonthUsage } from '../usage/MonthUsage.tsx'
import { SecretDialog } from '../usage/dialogs.tsx'
import { type Month, formatPeriod } from '../usage/months.ts'
import { AdminErrorNotice, useRefreshKeys, useAdmin, useKeys } from './AdminKeyForm.tsx'
import { EditKeyDialog } from './KeyForm.tsx'
import { listKeyBadges } from './keys.ts'
import styles from './operate.module.css'

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
      <Stack>
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
      </Stack>
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

const series = ['Calls']

/** Shows the details from the creation of the key. */
function Owner({ stats: { id, prefix, revokedAt } }: { readonly stats: KeyStats }) {
  const { data, error, errorUpdatedAt } = useKeys()
  const key = data?.get(id)
  if (error) return <AdminErrorNotice error={error} at={errorUpdatedAt} />
  const stated = (value: string | undefined) => (key ? (value ?? '–') : <Skeleton width="8rem" />)
  return (
    <Facts>
      <Fact name="Id">
        <code>{id}</code>
        <CopyButton text={id} label="Copy the id of the key" />
      </Fact>
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
    </Facts>
  )
}

function formatLimits({ requests, windowSeconds, burstPerSecond, monthlyQuota }: NonNullable<ApiKey['limits']>) {
  const rate = `${Decimal.format(String(requests))} per ${formatPeriod(windowSeconds)}`
  return `${rate}, ${Decimal.format(String(burstPerSecond))} per second, ${Decimal.format(String(monthlyQuota))} per month`
}

const hourSeconds = 3600
const daySeconds = 24 * hourSeconds

const overlaps = [
  [0, '0 seconds (stop now)'],
  [hourSeconds, '1 hour'],
  [daySeconds, '1 day'],
  [7 * daySeconds, '7 days'],
  [30 * daySeconds, '30 days'],
] as const

/** A dialog that rotates a key with an overlap, and shows the new secret. */
function RotateDialog({ stats: { id, name }, onClose }: DialogProps) {
  const refreshKeys = useRefreshKeys()
  const [typed, setTyped] = useState('')
  const [overlapSeconds, setOverlapSeconds] = useState<number>(daySeconds)
  const admin = useAdmin()
  const rotation = useMutation({
    mutationFn: () => admin.keys.rotate.mutate({ id, overlapSeconds }),
    onSuccess: () => void refreshKeys(),
    // The result of the mutation contains the secret.
    gcTime: 0,
  })
  const createdKey = rotation.data
  if (createdKey) {
    const end = new Date(createdKey.oldKeysExpireAt).toLocaleString(undefined, {
      dateStyle: 'medium',
      timeStyle: 'short',
    })
    const note = overlapSeconds === 0 ? 'Older secrets no longer work.' : `Older secrets work until ${end}.`
    return (
      <SecretDialog title={`New secret of ${name}`} secret={createdKey.key} isApiKey note={note} onClose={onClose} />
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isNamed(typed, name) && !rotation.isPending) rotation.mutate()
  }
  return (
    <Dialog
      title="Rotate a key"
      description="The key gets a new secret. Its limits and usage do not change."
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <Stack>
          <SelectField
            label="Older secrets work for"
            value={overlapSeconds}
            onChange={({ target }) => setOverlapSeconds(Number(target.value))}
          >
            {overlaps.map(([seconds, label]) => (
              <option key={seconds} value={seconds}>
                {label}
              </option>
            ))}
          </SelectField>
          <ConfirmName name={name} value={typed} onChange={setTyped} />
          {rotation.error && <AdminErrorNotice error={rotation.error} at={rotation.submittedAt} />}
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" variant="primary" disabled={!isNamed(typed, name)} isBusy={rotation.isPending}>
              Rotate
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}

type DialogProps = { readonly stats: KeyStats; readonly onClose: () => void }

/** A dialog that revokes a key. */
function RevokeDialog(props: DialogProps) {
  const refreshKeys = useRefreshKeys()
  const admin = useAdmin()
  return (
    <EndKeyDialog
      {...props}
      title="Revoke a key"
      description="The key stops working everywhere, permanently. Its usage data is kept."
      action="Revoke"
      end={async (id) => {
        await admin.keys.revoke.mutate({ id })
        void refreshKeys()
      }}
    />
  )
}

/** A dialog that erases the name and owner of a key. */
function EraseDialog(props: DialogProps) {
  const refreshKeys = useRefreshKeys()
  const admin = useAdmin()
  return (
    <EndKeyDialog
      {...props}
      title="Erase a key"
      description="The key stops working, permanently. Its name, owner, use, networks and origins are deleted. Its usage stays."
      action="Erase"
      end={async (id) => {
        await admin.keys.erase.mutate({ id })
        await refreshKeys()
      }}
    />
  )
}

/** A dialog that ends a key. The user confirms it by typing the name of the key. */
function EndKeyDialog({ stats: { id, name }, title, description, action, end, onClose }: EndKeyProps) {
  const [typed, setTyped] = useState('')
  const mutation = useMutation({
    mutationFn: () => end(id),
    onSuccess: onClose,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isNamed(typed, name) && !mutation.isPending) mutation.mutate()
  }
  return (
    <Dialog title={title} description={description} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack>
          <ConfirmName name={name} value={typed} onChange={setTyped} />
          {mutation.error && <AdminErrorNotice error={mutation.error} at={mutation.submittedAt} />}
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" variant="danger" disabled={!isNamed(typed, name)} isBusy={mutation.isPending}>
              {action}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}

type EndKeyProps = DialogProps & {
  readonly title: string
  readonly description: string
  /** The text of the button. */
  readonly action: string
  /** Ends the key, and starts to read the keys again. */
  readonly end: (id: string) => Promise<void>
}

/** The field in which a user types the name of a key to confirm an action. */
function ConfirmName({ name, value, onChange }: ConfirmNameProps) {
  return (
    <TextField
      label={`Type the name of the key to confirm: ${name}`}
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

type ConfirmNameProps = { readonly name: string; readonly value: string; readonly onChange: (value: string) => void }

/** Returns whether a typed text is the name of a key. Ignores Unicode composition and spaces around the text. */
function isNamed(text: string, name: string): boolean {
  return text.trim().normalize() === name.trim().normalize()
}
