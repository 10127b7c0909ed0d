import { toFailure } from '@agio/react/internal'
import { ErrorNotice } from '../../errors/ErrorNotice.tsx'
import { explainAdminError } from './explainAdminError.ts'

/** Explains the error of a call with the admin key. */
export function AdminErrorNotice(props: Omit<ErrorNotice.Props, 'explanation'>) {
  return <ErrorNotice {...props} explanation={explainAdminError(toFailure(props.error).code)} />
}
