import { toFailure } from '@agio/react/internal'
import type { ApiKey } from '@agio/sdk/admin'
import { useMutation } from '@tanstack/react-query'
import { type ComponentProps, type FormEvent, useState } from 'react'
import { AdminErrorNotice, useRefreshKeys, useAdmin } from './AdminKeyForm.tsx'
import styles from './operate.module.css'
import {
  type ApplicationForm,
  type IssuedTier,
  allScopes,
  emptyForm,
  findFields,
  toApplication,
  toChange,
  toForm,
} from './keys.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { SelectField, TextField } from '../ui/Field.tsx'
import { Stack } from '../ui/Panel.tsx'
import { SecretDialog } from '../usage/dialogs.tsx'

const tiers: Readonly<Record<IssuedTier, string>> = {
  standard: '100 calls per 15 min, 100,000 per month',
  sandbox: '100 calls per minute, 100,000 per month',
  staging: '500 calls per minute, 100,000 per month',
  production: 'Custom limits',
}

/** A dialog that creates a key and shows its secret. */
export function CreateKeyDialog({ onClose, onCreated }: CreateKeyDialog.Props) {
  const refreshKeys = useRefreshKeys()
  const [form, setForm] = useState(emptyForm)
  const admin = useAdmin()
  const creation = useMutation({
    mutationFn: () => admin.keys.create.mutate(toApplication(form)),
    onSuccess: ({ id }) => {
      onCreated(id)
      void refreshKeys()
    },
    // The result of the mutation contains the secret.
    gcTime: 0,
  })
  if (creation.data) {
    const { name, key } = creation.data
    return <SecretDialog title={`Secret of ${name}`} secret={key} isApiKey onClose={onClose} />
  }
  return (
    <Dialog
      title="Create an API key"
      description="The secret is shown only once, after the key is created."
      onClose={onClose}
    >
      <KeyFields form={form} setForm={setForm} sending={creation} isNew action="Create" onClose={onClose} />
    </Dialog>
  )
}

export declare namespace CreateKeyDialog {
  type Props = {
    readonly onClose: () => void
    /** Called with the id of the key while its secret is shown. */
    readonly onCreated: (id: string) => void
  }
}

/** A dialog that changes what a key may do, from where it works, and who it belongs to. */
export function EditKeyDialog({ of: key, onClose }: { readonly of: ApiKey; readonly onClose: () => void }) {
  const refreshKeys = useRefreshKeys()
  const [form, setForm] = useState(() => toForm(key))
  const admin = useAdmin()
  const change = useMutation({
    mutationFn: () => admin.keys.update.mutate(toChange(form, key)),
    async onSuccess() {
      await refreshKeys()
      onClose()
    },
  })
  return (
    <Dialog title={`Edit ${key.name}`} description="The secret, the kind and the limits stay." onClose={onClose}>
      <KeyFields form={form} setForm={setForm} sending={change} action="Save" onClose={onClose} />
    </Dialog>
  )
}

type KeyFieldsProps = {
  readonly form: ApplicationForm
  readonly setForm: (change: (form: ApplicationForm) => ApplicationForm) => void
  readonly sending: {
    readonly error: unknown
    readonly submittedAt: number
    readonly isPending: boolean
    mutate(): void
    reset(): void
  }
  /** Whether the kind and the limits can be chosen. */
  readonly isNew?: boolean
  readonly action: string
  readonly onClose: () => void
}

type FieldProps = ComponentProps<typeof TextField> & ComponentProps<typeof SelectField>
type TextName = Exclude<keyof ApplicationForm, 'scopes' | 'isCidrDryRun'>

function KeyFields({ form, setForm, sending, isNew = false, action, onClose }: KeyFieldsProps) {
  const refused = sending.error ? findFields(toFailure(sending.error).details, form) : undefined
  const change = (fields: Partial<ApplicationForm>) => {
    setForm((current) => ({ ...current, ...fields }))
    sending.reset()
  }
  const field = (name: TextName): FieldProps => ({
    label: labels[name],
    value: form[name],
    error: refused?.has(name) === true ? 'The service rejected this value.' : undefined,
    autoComplete: 'off',
    onChange: ({ target }: { readonly target: { readonly value: string } }) => change({ [name]: target.value }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!sending.isPending) sending.mutate()
  }
  const text = { required: true, maxLength: 200 }
  const isPublishable = form.kind === 'publishable'
  return (
    <form autoComplete="off" onSubmit={submit}>
      <Stack>
        <TextField {...field('name')} {...text} hint="To recognise the key, such as Shop checkout" />
        <div className={styles['pair']}>
          <TextField {...field('email')} {...text} type="email" />
          <TextField {...field('company')} maxLength={200} />
          <TextField {...field('useCase')} {...text} hint="Such as supplier payouts" />
          <TextField {...field('expectedVolume')} {...text} hint="Such as 2,000 a day" />
        </div>
        {isNew && <Limits form={form} field={field} />}
        {!isPublishable && <Scopes chosen={form.scopes} onChange={(scopes) => change({ scopes })} />}
        <div className={styles['pair']}>
          <TextField {...field('expiresAt')} type="datetime-local" hint="Empty: never" />
          <TextField
            {...field('allowedOrigins')}
            required={isPublishable}
            hint={isPublishable ? 'Such as https://app.example' : 'Empty: any'}
          />
          <TextField {...field('allowedCidrs')} hint="Such as 203.0.113.0/24. Empty: any" />
        </div>
        {form.allowedCidrs.trim() !== '' && (
          <label className={styles['check']}>
            <input
              type="checkbox"
              checked={form.isCidrDryRun}
              onChange={({ target }) => change({ isCidrDryRun: target.checked })}
            />
            Dry run: only log requests from other networks
          </label>
        )}
        {sending.error !== null && refused?.size === 0 && (
          <AdminErrorNotice error={sending.error} at={sending.submittedAt} />
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={sending.isPending}>
            {action}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  )
}

type LimitsProps = { readonly form: ApplicationForm; readonly field: (name: TextName) => FieldProps }

function Limits({ form: { tier }, field }: LimitsProps) {
  const count = { required: true, inputMode: 'numeric', pattern: '[1-9][0-9]{0,11}', title: 'A whole number' } as const
  return (
    <>
      <div className={styles['pair']}>
        <SelectField {...field('kind')}>
          <option value="secret">Secret, for servers</option>
          <option value="publishable">Publishable, for web pages</option>
        </SelectField>
        <SelectField {...field('tier')} hint={tiers[tier]}>
          {Object.keys(tiers).map((each) => (
            <option key={each}>{each}</option>
          ))}
        </SelectField>
      </div>
      {tier === 'production' && (
        <div className={styles['pair']}>
          <TextField {...field('requests')} {...count} />
          <TextField {...field('windowSeconds')} {...count} />
          <TextField {...field('burstPerSecond')} {...count} />
          <TextField {...field('monthlyQuota')} {...count} />
        </div>
      )}
    </>
  )
}

type ScopesProps = {
  readonly chosen: ApplicationForm['scopes']
  readonly onChange: (scopes: ApplicationForm['scopes']) => void
}

function Scopes({ chosen, onChange }: ScopesProps) {
  return (
    <fieldset className={styles['scopes']}>
      <legend>Scopes</legend>
      {allScopes.map((scope) => (
        <label key={scope} className={styles['check']}>
          <input
            type="checkbox"
            checked={chosen.includes(scope)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, scope] : chosen.filter((each) => each !== scope))
            }
          />
          {scope}
        </label>
      ))}
    </fieldset>
  )
}

const labels: Readonly<Record<TextName, string>> = {
  name: 'Name',
  company: 'Company (optional)',
  email: 'Email',
  useCase: 'Use',
  expectedVolume: 'Expected volume',
  tier: 'Tier',
  requests: 'Calls per window',
  windowSeconds: 'Seconds per window',
  burstPerSecond: 'Calls per second',
  monthlyQuota: 'Calls per month',
  kind: 'Kind',
  expiresAt: 'Expires',
  allowedOrigins: 'Origins of web pages',
  allowedCidrs: 'Networks',
}
