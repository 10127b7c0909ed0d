import { ErrorNotice } from '../../errors/ErrorNotice.tsx'
import { toFailure } from '../../errors/toFailure.ts'
import { explainAdminError } from './explainAdminError.ts'

/** Explains the error of a call with the admin key. */
export function AdminErrorNotice(props: Omit<ErrorNotice.Props, 'explanation'>) {
  return <ErrorNotice {...props} explanation={explainAdminError(toFailure(props.error).code)} />
}
