import { toFailure } from '@agio/react/internal'
import { useMutation } from '@tanstack/react-query'
import { useState, type ComponentProps, type FormEvent } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { AdminErrorNotice } from './AdminErrorNotice.tsx'
import styles from './Dialogs.module.css'
import { SecretDialog } from './SecretDialog.tsx'
import { findFields, toApplication, type ApplicationForm, type IssuedTier } from './toApplication.ts'
import { refreshKeys, useAdmin } from './useAdmin.ts'

const tiers: Readonly<Record<IssuedTier, string>> = {
  standard: '100 calls per 15 min, 100,000 per month',
  sandbox: '100 calls per minute, 100,000 per month',
  staging: '500 calls per minute, 100,000 per month',
  production: 'Custom limits',
}

const empty: ApplicationForm = {
  name: '',
  company: '',
  email: '',
  useCase: '',
  expectedVolume: '',
  tier: 'standard',
  requests: '1000',
  windowSeconds: '60',
  burstPerSecond: '50',
  monthlyQuota: '1000000',
}

/** A dialog that creates a key and shows its secret. */
export function CreateKeyDialog({ onClose, onCreated }: CreateKeyDialog.Props) {
  const [form, setForm] = useState(empty)
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
  if (creation.data)
    return <SecretDialog title={`Secret of ${creation.data.name}`} createdKey={creation.data} onClose={onClose} />
  const refused = creation.error ? findFields(toFailure(creation.error).details, form) : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!creation.isPending) creation.mutate()
  }
  const field = (
    name: keyof ApplicationForm,
  ): ComponentProps<typeof TextField> & ComponentProps<typeof SelectField> => ({
    label: labels[name],
    value: form[name],
    error: refused?.has(name) === true ? 'The service rejected this value.' : undefined,
    autoComplete: 'off',
    onChange: ({ target }: { readonly target: { readonly value: string } }) => {
      setForm((current) => ({ ...current, [name]: target.value }))
      creation.reset()
    },
  })
  const text = { required: true, maxLength: 200 }
  const count = { required: true, inputMode: 'numeric', pattern: '[1-9][0-9]{0,11}', title: 'A whole number' } as const
  return (
    <Dialog
      title="Create an API key"
      description="The secret is shown only once, after the key is created."
      onClose={onClose}
    >
      <form className={styles['form']} autoComplete="off" onSubmit={submit}>
        <TextField {...field('name')} {...text} hint="To recognise the key, such as Shop checkout" />
        <div className={styles['pair']}>
          <TextField {...field('email')} {...text} type="email" />
          <TextField {...field('company')} maxLength={200} />
          <TextField {...field('useCase')} {...text} hint="Such as supplier payouts" />
          <TextField {...field('expectedVolume')} {...text} hint="Such as 2,000 a day" />
        </div>
        <SelectField {...field('tier')} hint={tiers[form.tier]}>
          {Object.keys(tiers).map((tier) => (
            <option key={tier}>{tier}</option>
          ))}
        </SelectField>
        {form.tier === 'production' && (
          <div className={styles['pair']}>
            <TextField {...field('requests')} {...count} />
            <TextField {...field('windowSeconds')} {...count} />
            <TextField {...field('burstPerSecond')} {...count} />
            <TextField {...field('monthlyQuota')} {...count} />
          </div>
        )}
        {creation.error && refused?.size === 0 && <AdminErrorNotice error={creation.error} at={creation.submittedAt} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={creation.isPending}>
            Create
          </Button>
        </DialogActions>
      </form>
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

const labels: Readonly<Record<keyof ApplicationForm, string>> = {
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
}
