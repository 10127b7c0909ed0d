import { useSession } from '../../session/session.ts'
import { AdminKeyForm } from './AdminKeyForm.tsx'
import { KeyPanels } from './KeyPanels.tsx'

/** The keys of the service, for operators: a field for the admin key, or the keys. */
export function OperatorKeys() {
  const hasKey = useSession(({ adminKey }) => adminKey !== '')
  return hasKey ? <KeyPanels /> : <AdminKeyForm />
}
