import { useMutation } from '@tanstack/react-query'
import { useKeyText } from '../../errors/useKeyText.ts'
import { queryClient } from '../../service/trpc.ts'
import { useSession } from '../../session/session.ts'
import { settings } from '../../settings/settings.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { toMonth } from '../calls/months.ts'
import { AdminErrorNotice } from './AdminErrorNotice.tsx'
import styles from './AdminKeyForm.module.css'
import { toStatsQuery } from './toStatsQuery.ts'
import { createAdmin } from './useAdmin.ts'

/** A form for the admin key. If the service accepts the key, it is kept only in the memory of the page. */
export function AdminKeyForm() {
  const setAdminKey = useSession((session) => session.setAdminKey)
  const check = useMutation({
    mutationFn: (adminKey: string) => queryClient.fetchQuery(toStatsQuery(createAdmin(adminKey), toMonth(Date.now()))),
    onSuccess: (_, adminKey) => setAdminKey(adminKey),
    // The variable of the mutation is the key.
    gcTime: 0,
  })
  const localKey = settings.local?.adminKey
  const { field, submit } = useKeyText(check.mutate)
  return (
    <Panel title="Keys of the service">
      <p>
        Operators create, rotate and revoke API keys here, and see the usage of each key. The admin key is kept in the
        memory of this page until you reload it.
      </p>
      <form
        className={styles['form']}
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextField label="Admin key" {...field} />
        <Button type="submit" isBusy={check.isPending}>
          Show keys
        </Button>
      </form>
      {localKey !== undefined && (
        <p className={styles['offer']}>
          <Button isBusy={check.isPending} onClick={() => check.mutate(localKey)}>
            Use the local admin key
          </Button>
        </p>
      )}
      {check.error && (
        <div className={styles['error']}>
          <AdminErrorNotice error={check.error} at={check.submittedAt} />
        </div>
      )}
    </Panel>
  )
}
