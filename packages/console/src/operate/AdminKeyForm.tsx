import { toFailure } from '@agio/react/internal'
import { useMutation } from '@tanstack/react-query'
import { ErrorNotice } from '../errors/ErrorNotice.tsx'
import { useKeyText } from '../errors/useKeyText.ts'
import styles from './operate.module.css'
import { explainAdminError } from './explainAdminError.ts'
import { createAdmin, forgetAdminKey, toStatsQuery } from './useAdmin.ts'
import { queryClient } from '../service/trpc.ts'
import { useSession } from '../session/session.ts'
import { settings } from '../settings/settings.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { Page } from '../ui/Page.tsx'
import { Panel } from '../ui/Panel.tsx'
import { toMonth } from '../usage/months.ts'

/** A page that shows its content once the admin key is entered. */
export function OperatorPage({ children, actions, ...props }: Page.Props) {
  const hasKey = useSession(({ adminKey }) => adminKey !== '')
  const forget = (
    <Button size="small" onClick={forgetAdminKey}>
      Forget the admin key
    </Button>
  )
  const shown = (
    <>
      {actions}
      {forget}
    </>
  )
  return (
    <Page {...props} actions={hasKey && shown}>
      {hasKey ? children : <AdminKeyForm />}
    </Page>
  )
}

/** A form for the admin key. If the service accepts the key, it is kept only in the memory of the page. */
function AdminKeyForm() {
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
    <Panel title="Enter the admin key">
      <p>For operators of the service. The key is kept in the memory of this page until you reload it.</p>
      <form
        className={styles['adminKeyFormForm']}
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextField label="Admin key" {...field} />
        <Button type="submit" isBusy={check.isPending}>
          Continue
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

/** Explains the error of a call with the admin key. */
export function AdminErrorNotice(props: Omit<ErrorNotice.Props, 'explanation'>) {
  return <ErrorNotice {...props} explanation={explainAdminError(toFailure(props.error).code)} />
}
