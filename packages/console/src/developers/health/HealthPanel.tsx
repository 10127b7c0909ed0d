import { useNow } from '@agio/react/internal'
import { ErrorNotice } from '../../errors/ErrorNotice.tsx'
import { nameOfChain } from '../../settings/nameOfChain.ts'
import { servicePath, settings } from '../../settings/settings.ts'
import { formatDuration } from '../../time/formatDuration.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { classes } from '../../ui/classes.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { BlockTable } from './BlockTable.tsx'
import { describeChain, describeLimits, describeService, describeStorage, type Description } from './describeHealth.ts'
import type { ChainHealth, Health } from '../../service/Health.ts'
import styles from './HealthPanel.module.css'
import { useHealth } from '../../service/useHealth.ts'

/** Shows the health of the service and of each chain, and the newest blocks as they arrive. */
export function HealthPanel() {
  const { data, error, dataUpdatedAt, errorUpdatedAt } = useHealth()
  return (
    <Panel title="Health" actions={<a href={`${servicePath}/health`}>/health</a>}>
      <div className={styles['parts']}>
        {error && <ErrorNotice error={error} at={errorUpdatedAt} />}
        {error && data && <p>Showing the last known state.</p>}
        {data ? (
          <div className={classes(styles['sections'], error !== null && styles['outdated'])}>
            <ServiceHealth health={data.health} />
            {data.health.chains.map((chain) => (
              <section key={chain.chainId} aria-label={nameOfChain(chain.chainId)} className={styles['section']}>
                <ChainStatus chain={chain} receivedAt={dataUpdatedAt} />
                <BlockTable
                  blocks={data.blocks[chain.chainId] ?? []}
                  caption={`Newest blocks of ${nameOfChain(chain.chainId)}`}
                />
              </section>
            ))}
          </div>
        ) : (
          !error && <Loading />
        )}
      </div>
    </Panel>
  )
}

function ServiceHealth({ health }: { readonly health: Health }) {
  const { label, text, tone } = describeService(health)
  return (
    <section aria-label="Service" className={styles['section']}>
      <h3 className={styles['name']}>
        Service <Badge tone={tone}>{label}</Badge>
      </h3>
      <p>{text}</p>
      <dl className={styles['states']}>
        <State name="Database" {...describeStorage(health)} />
        <State name="Limits" {...describeLimits(health)} />
        <dt>Uptime</dt>
        <dd>{formatDuration(health.uptime)}</dd>
        <dt>Version</dt>
        <dd>{health.version}</dd>
      </dl>
    </section>
  )
}

function State({ name, label, text, tone }: Description & { readonly name: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Badge tone={tone}>{label}</Badge> {text}
      </dd>
    </>
  )
}

function ChainStatus({ chain, receivedAt }: { readonly chain: ChainHealth; readonly receivedAt: number }) {
  const { label, text, tone } = describeChain(chain)
  const { blockNumber, blockAgeSeconds = 0, available } = chain
  const passedSeconds = Math.max(0, (useNow() - receivedAt) / 1000)
  return (
    <>
      <h3 className={styles['name']}>
        {nameOfChain(chain.chainId)} <Badge tone={tone}>{label}</Badge>
      </h3>
      <p>{text}</p>
      <dl className={styles['states']}>
        <dt>Block</dt>
        <dd>
          {blockNumber === undefined ? (
            'none yet'
          ) : (
            <>
              <code>{blockNumber}</code>, {formatDuration(blockAgeSeconds + passedSeconds)} old
            </>
          )}
        </dd>
        <dt>Available</dt>
        <dd>{available.length > 0 ? available.join(', ') : 'nothing'}</dd>
      </dl>
    </>
  )
}

/** A placeholder with the size of the loaded content. */
function Loading() {
  return (
    <div className={styles['sections']}>
      {['Service', ...settings.networks.map(({ name }) => name)].map((name, index) => (
        <div key={name} className={styles['section']}>
          <h3 className={styles['name']}>{name}</h3>
          <Skeleton width="14rem" {...(index === 0 && { label: 'Loading the health of the service' })} />
          <div className={styles['room']} />
        </div>
      ))}
    </div>
  )
}
