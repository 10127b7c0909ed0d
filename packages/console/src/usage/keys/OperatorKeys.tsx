import { useSession } from '../../session/session.ts'
import { AdminKeyForm } from './AdminKeyForm.tsx'
import { KeyPanels } from './KeyPanels.tsx'

/** Shows the keys of the service to operators, or the form for the admin key. */
export function OperatorKeys() {
  const hasKey = useSession(({ adminKey }) => adminKey !== '')
  return hasKey ? <KeyPanels /> : <AdminKeyForm />
}
