import { Decimal, findAgioError, useAgio } from '@agio/react/internal'
import type { OwnApiKey, OwnUsage } from '@agio/sdk'
import { keepPreviousData, skipToken, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSettings } from '../settings/console.ts'
import { ApiKeyForm } from '../errors/ApiKeyForm.tsx'
import { ErrorNotice } from '../errors/ErrorNotice.tsx'
import { keyCodes } from '../service/keyCodes.ts'
import { useSwitchApiKey } from '../service/switchApiKey.ts'
import { trpc } from '../service/trpc.ts'
import { useSession } from '../session/session.ts'
import { KeyTime } from '../time/Age.tsx'
import { Badge, Notice } from '../ui/Notice.tsx'
import { Button } from '../ui/Button.tsx'
import { Fact, Facts, Page, Panel, Skeleton, Stack, Totals } from '../ui/Panel.tsx'
import { MonthSelect, MonthUsage } from '../usage/MonthUsage.tsx'
import { RequestLog, requestsPerPage, useRequestFilter } from '../usage/RequestLog.tsx'
import { ConfirmDialog, SecretDialog } from '../usage/dialogs.tsx'
import { chooseSeries, groupBySeries, listMonths, type Month, toMonth } from '../usage/months.ts'
import { Limits } from './Limits.tsx'
import styles from './build.module.css'

/** The page of the API key: what it may do, its limits, and its calls in a month. */
export function KeyPage() {
  const hasKey = useSession(({ apiKey }) => apiKey !== '')
  return (
    <Page title="Your key" intro="The scopes, limits and calls of your API key.">
      {hasKey ? <KeyUsage /> : <MissingKey purpose="see its limits and calls" />}
    </Page>
  )
}

const maxSeries = 6
const listedMonths = 12

/**
 * Shows the page's API key with its remaining limits, and its calls in a month. Each read counts as a call of the key,
 * so nothing is polled.
 */
function KeyUsage() {
  const [current] = useState(() => toMonth(Date.now()))
  const [month, setMonth] = useState(current)
  const currentUsage = useUsage(current)
  const monthUsage = useUsage(month)
  // A revoked key has no calls left.
  const isRefused = keyCodes.has(findAgioError(currentUsage.error)?.code ?? '')
  const refresh = () => void Promise.all([monthUsage.refetch(), month !== current && currentUsage.refetch()])
  return (
    <>
      <CurrentKey usage={isRefused ? undefined : currentUsage.data} isLoading={currentUsage.isLoading} />
      <Panel
        title="Calls of this key"
        actions={
          <>
            <MonthSelect
              label="Month of the calls of this key"
              months={listMonths(current, listedMonths)}
              value={month}
              onChange={setMonth}
            />
            <Button isBusy={monthUsage.isFetching} onClick={refresh}>
              Refresh
            </Button>
          </>
        }
      >
        {monthUsage.error && (
          <div className={styles['notice']}>
            <ErrorNotice error={monthUsage.error} at={monthUsage.errorUpdatedAt} />
          </div>
        )}
        {monthUsage.data ? <Calls usage={monthUsage.data} month={month} /> : monthUsage.isLoading && <LoadingCalls />}
      </Panel>
    </>
  )
}

function useUsage(month: Month) {
  const hasKey = useSession(({ apiKey }) => apiKey !== '')
  return useQuery({ ...trpc.usage.get.queryOptions({ month }), enabled: hasKey })
}

function Calls({ usage: { calls, refused, callsByOperation, days }, month }: CallsProps) {
  const series = chooseSeries(callsByOperation, maxSeries)
  const counted = days.reduce((total, day) => total + day.calls, 0)
  const daysBySeries = days.map((day) => ({ ...day, callsBySeries: groupBySeries(day.callsByOperation, series) }))
  return (
    <>
      <Totals
        values={{
          Calls: Decimal.format(String(calls)),
          Refused: Decimal.format(String(refused)),
          Operations: Object.keys(callsByOperation).length,
        }}
      />
      {counted < calls && <UndatedCalls count={calls - counted} />}
      <MonthUsage of="this key" days={daysBySeries} {...{ month, series, callsByOperation }} />
    </>
  )
}

type CallsProps = { readonly usage: OwnUsage; readonly month: Month }

/** Explains calls from an older version of the service, which did not count by day. */
function UndatedCalls({ count }: { readonly count: number }) {
  return (
    <div className={styles['notice']}>
      <Notice>
        {Decimal.format(String(count))} of these calls were made before the service counted by day. They are not
        included in the days.
      </Notice>
    </div>
  )
}

function LoadingCalls() {
  return (
    <div className={styles['callsLoading']}>
      <Skeleton width="12rem" label="Loading the calls of this key" />
    </div>
  )
}

/** Asks for an API key. */
export function MissingKey({ purpose }: { readonly purpose: string }) {
  return (
    <Panel title="Enter an API key">
      <Stack>
        <p>Enter a key to {purpose}. It is kept until you close this tab, and is sent only to this service.</p>
        <ApiKeyForm />
        <LocalKeys apiKey="" />
      </Stack>
    </Panel>
  )
}

type CurrentKeyProps = {
  /** Usage of the current month. Undefined while it is loading. */
  readonly usage: OwnUsage | undefined
  readonly isLoading: boolean
}

/** Shows what the API key of the page may do, and its limits. */
function CurrentKey({ usage, isLoading }: CurrentKeyProps) {
  const apiKey = useSession((session) => session.apiKey)
  const switchApiKey = useSwitchApiKey()
  const [isRotating, setIsRotating] = useState(false)
  const { data: key } = useQuery({
    ...trpc.keys.self.queryOptions(undefined, { staleTime: Infinity, refetchOnWindowFocus: false }),
    enabled: apiKey !== '',
  })
  const localKey = useLocalKeys().find(([, each]) => each === apiKey)
  const canRotate = key?.scopes.includes('rotate') === true
  return (
    <Panel
      title={key?.name ?? (localKey ? 'Local key' : 'Key of this tab')}
      actions={
        <>
          <Button size="small" aria-disabled={!canRotate} onClick={() => canRotate && setIsRotating(true)}>
            Rotate
          </Button>
          <Button size="small" onClick={() => switchApiKey('')}>
            Forget the key
          </Button>
        </>
      }
    >
      <Stack>
        <div className={styles['keyFacts']}>
          {key ? <KeyFacts of={key} /> : isLoading && <Skeleton width="16rem" label="Loading the key" />}
        </div>
        {usage && <Limits usage={usage} />}
        {!usage && isLoading && (
          <div className={styles['limitsLoading']}>
            <Skeleton width="16rem" label="Loading the limits of this key" />
          </div>
        )}
        <LocalKeys apiKey={apiKey} />
      </Stack>
      {isRotating && <RotateOwnDialog onClose={() => setIsRotating(false)} />}
    </Panel>
  )
}

/** What a key may do, and from where. */
function KeyFacts({ of: key }: { readonly of: OwnApiKey }) {
  const { prefix, kind, tier, scopes, expiresAt, allowedOrigins, allowedCidrs, isCidrDryRun = false } = key
  return (
    <Facts>
      <Fact name="Begins with">
        <code>{prefix}</code>
      </Fact>
      <Fact name="Kind">{kind === 'publishable' ? 'Publishable, for web pages' : 'Secret, for servers'}</Fact>
      <Fact name="Tier">
        <Badge>{tier}</Badge>
      </Fact>
      <Fact name="Scopes">{scopes.join(', ')}</Fact>
      <Fact name="Expires">{expiresAt === undefined ? 'Never' : <KeyTime at={expiresAt} hasTime />}</Fact>
      <Fact name="Web pages">{allowedOrigins?.join(', ') ?? 'Any origin'}</Fact>
      <Fact name="Networks">
        {allowedCidrs?.join(', ') ?? 'Any address'} {isCidrDryRun && <Badge tone="warning">Dry run</Badge>}
      </Fact>
      {!scopes.includes('rotate') && <Fact name="Rotation">By an operator: the key has no scope “rotate”</Fact>}
    </Facts>
  )
}

const overlapSeconds = 86_400

/** A dialog that replaces the secret of the key, and shows the new one. */
function RotateOwnDialog({ onClose }: { readonly onClose: () => void }) {
  const { reader } = useAgio()
  const rotation = useMutation({
    mutationFn: () => reader.api.keys.rotate.mutate({ overlapSeconds }),
    // The result of the mutation contains the secret.
    gcTime: 0,
  })
  if (rotation.data) {
    const end = new Date(rotation.data.oldKeysExpireAt).toLocaleString()
    const note = `The replaced secret works until ${end}.`
    return (
      <SecretDialog title="New secret of your key" secret={rotation.data.key} isApiKey note={note} onClose={onClose} />
    )
  }
  return (
    <ConfirmDialog
      title="Rotate your key"
      description="The key gets a new secret. The current one works for another day."
      action="Rotate"
      mutation={rotation}
      onClose={onClose}
    />
  )
}

/** Returns the keys that every local stack has. */
function useLocalKeys() {
  const { local } = useSettings()
  return [
    ['unlimited', local?.apiKey],
    ['standard limits', local?.standardKey],
  ] as const
}

/** Offers the other keys of a local stack. */
function LocalKeys({ apiKey }: { readonly apiKey: string }) {
  const switchApiKey = useSwitchApiKey()
  const offered = useLocalKeys().filter(([, key]) => key !== undefined && key !== apiKey)
  if (offered.length === 0) return undefined
  return (
    <p className={styles['offer']}>
      {offered.map(([name, key = '']) => (
        <Button key={name} onClick={() => switchApiKey(key)}>
          Use the local key, {name}
        </Button>
      ))}
    </p>
  )
}

/** The page of the key's request log. */
export function RequestsPage() {
  const { servicePath } = useSettings()
  const hasKey = useSession(({ apiKey }) => apiKey !== '')
  const state = useRequestFilter()
  const query = useQuery(
    trpc.usage.requests.queryOptions(hasKey ? { ...state.filter, limit: requestsPerPage } : skipToken, {
      placeholderData: keepPreviousData,
    }),
  )
  const { data, error, errorUpdatedAt, isFetching, refetch } = query
  return (
    <Page
      title="Requests"
      intro={
        <>
          The latest calls of your key, without secrets. Each error code opens its cause and its fix. See{' '}
          <a href={`${servicePath}/docs/guide/request-log`}>what is logged</a>.
        </>
      }
    >
      {hasKey ? (
        <RequestLog
          title="Requests of your key"
          state={state}
          requests={data?.requests}
          error={error && <ErrorNotice error={error} at={errorUpdatedAt} />}
          isFetching={isFetching}
          onRefresh={() => void refetch()}
        />
      ) : (
        <MissingKey purpose="see its requests" />
      )}
    </Page>
  )
}
