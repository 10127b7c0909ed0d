import { explainError, type Failure, toFailure, toRetryDelayMs, useNow } from '@agio/react/internal'
import type { Explanation } from '@agio/sdk/messages'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSettings } from '../settings/console.ts'
import { ApiKeyForm } from './ApiKeyForm.tsx'
import styles from './errors.module.css'
import { keyCodes } from '../service/keyCodes.ts'
import { RetryTimer } from '../time/Age.tsx'
import { formatDuration } from '../time/formatDuration.ts'
import { Button, CopyButton } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'

/**
 * Explains an error and what to do next. Its code and request id can be copied. It counts down to the next possible
 * attempt, and has a field for the API key if the key is missing.
 *
 * @param at time of the error in milliseconds, for the countdown
 *
 * @param isRepeated whether the page repeats the request by itself, if the error allows it
 *
 * @param explanation replaces the default explanation, for calls where the code has another meaning
 */
export function ErrorNotice({ error, at, isRepeated = false, actions, explanation }: ErrorNotice.Props) {
  const failure = toFailure(error)
  const { title, next, tone } = explanation ?? explainError(failure)
  const { code, message, retryAfterSeconds } = failure
  const retryMs = isRepeated ? toRetryDelayMs(error) : undefined
  const isOfKey = !explanation && keyCodes.has(code)
  return (
    <Notice tone={tone} title={title} actions={actions}>
      <p>{next}</p>
      {at !== undefined && retryMs !== undefined && <RetryTimer at={at + retryMs} />}
      {at !== undefined && retryMs === undefined && retryAfterSeconds !== undefined && (
        <Countdown until={at + retryAfterSeconds * 1000} />
      )}
      {isOfKey && <ApiKeyForm />}
      <details className={styles['details']}>
        <summary>Details</summary>
        {message !== next && <p>{message}</p>}
        <Codes {...failure} />
      </details>
    </Notice>
  )
}

export declare namespace ErrorNotice {
  type Props = {
    readonly error: unknown
    readonly at?: number | undefined
    readonly isRepeated?: boolean | undefined
    readonly actions?: ReactNode
    readonly explanation?: Explanation | undefined
  }
}

/** Explains why a query failed, with a button that repeats it. */
export function QueryErrorNotice({ query, isRepeated }: QueryErrorNotice.Props) {
  const { error, errorUpdatedAt, isFetching, refetch } = query
  return (
    <ErrorNotice
      error={error}
      at={errorUpdatedAt}
      isRepeated={isRepeated}
      actions={
        <Button size="small" isBusy={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      }
    />
  )
}

export declare namespace QueryErrorNotice {
  type Props = Pick<ErrorNotice.Props, 'isRepeated'> & {
    readonly query: Pick<UseQueryResult<unknown, unknown>, 'error' | 'errorUpdatedAt' | 'isFetching' | 'refetch'>
  }
}

function Codes({ code, requestId }: Failure) {
  return (
    <dl className={styles['codes']}>
      <dt>Code</dt>
      <dd>
        <ErrorLink code={code} />
        <CopyButton text={code} label="Copy the code" />
      </dd>
      {requestId !== undefined && (
        <>
          <dt>Request</dt>
          <dd>
            <code>{requestId}</code>
            <CopyButton text={requestId} label="Copy the request id" />
          </dd>
        </>
      )}
    </dl>
  )
}

/** Shows a countdown. Screen readers do not read it each second, unlike the notice around it. */
function Countdown({ until }: { readonly until: number }) {
  const seconds = Math.ceil((until - useNow()) / 1000)
  return (
    <p role="timer" aria-live="off">
      {seconds <= 0 ? (
        'You can try again now.'
      ) : (
        <>
          You can try again in <strong>{formatDuration(seconds)}</strong>.
        </>
      )}
    </p>
  )
}

/** Shows the code of an error. Codes of the service link to their documentation. */
export function ErrorLink({ code }: { readonly code: string }) {
  const { servicePath } = useSettings()
  if (!code.startsWith(prefix)) return <code>{code}</code>
  return (
    <a href={`${servicePath}/docs/errors#${code.slice(prefix.length)}`} target="_blank" rel="noreferrer">
      <code>{code}</code>
    </a>
  )
}

const prefix = 'svc/'
