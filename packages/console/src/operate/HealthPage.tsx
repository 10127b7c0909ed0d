import { useNow } from '@agio/react/internal'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useNetworks } from '../settings/network.ts'
import { useSettings } from '../settings/console.ts'
import { ErrorNotice } from '../errors/ErrorNotice.tsx'
import {
  describeChain,
  describeLimits,
  describeNode,
  describeService,
  describeStorage,
  type Description,
  parseNodes,
} from './describeHealth.ts'
import styles from './operate.module.css'
import { AdminErrorNotice, adminQueries, useAdmin } from './AdminKeyForm.tsx'
import type { ChainHealth, Health, SeenBlock } from '../service/Health.ts'
import { useHealth } from '../service/useHealth.ts'
import { useSession } from '../session/session.ts'
import { formatDuration } from '../time/formatDuration.ts'
import { Badge, Notice } from '../ui/Notice.tsx'
import { Button } from '../ui/Button.tsx'
import { Page, Panel, ScrollTable, Skeleton, Stack } from '../ui/Panel.tsx'
import { classes } from '../ui/classes.ts'

/** The page of the health: of the service, of each chain and of its nodes, with what is affected. */
export function HealthPage() {
  return (
    <Page title="Health" intro="What works now, for which callers, and the newest blocks as they arrive.">
      <HealthPanel />
      <NodesPanel />
      <BackupPanel />
    </Page>
  )
}

/** Shows each node of each chain, for operators. */
function NodesPanel() {
  const { nameOfChain } = useNetworks()
  const hasKey = useSession(({ adminKey }) => adminKey !== '')
  const { data: nodes, error, errorUpdatedAt } = useNodes()
  return (
    <Panel title="Nodes">
      {!hasKey && (
        <p>
          The state of each node is for operators. <Link href="/operate/keys">Enter the admin key</Link> first.
        </p>
      )}
      {error && <ErrorNotice error={error} at={errorUpdatedAt} />}
      {hasKey && !nodes && !error && <Skeleton width="100%" label="Loading the nodes" />}
      {nodes && (
        <ScrollTable caption="Nodes of each chain, in the order of preference">
          <thead>
            <tr>
              <th scope="col">Chain</th>
              <th scope="col" data-number>
                Node
              </th>
              <th scope="col">State</th>
              <th scope="col">What is affected</th>
            </tr>
          </thead>
          <tbody>
            {nodes.map((node) => (
              <tr key={`${node.chainId} ${node.position}`}>
                <th scope="row">{nameOfChain(node.chainId)}</th>
                <td data-number>{node.position}</td>
                <td>
                  <Badge tone={node.isUp ? 'positive' : 'danger'}>{node.isUp ? 'Healthy' : 'Not used'}</Badge>
                </td>
                <td>{describeNode(node, nodes)}</td>
              </tr>
            ))}
          </tbody>
        </ScrollTable>
      )}
    </Panel>
  )
}

/** Lets an operator back the embedded database up. */
function BackupPanel() {
  const { servicePath } = useSettings()
  const hasKey = useSession(({ adminKey }) => adminKey !== '')
  const admin = useAdmin()
  const backup = useMutation({ mutationFn: () => admin.backups.create.mutate() })
  if (!hasKey) return undefined
  return (
    <Panel
      title="Backup"
      actions={
        <Button size="small" isBusy={backup.isPending} onClick={() => backup.mutate()}>
          Create backup
        </Button>
      }
    >
      <Stack>
        <p className="note">
          Copies the embedded database to a file in <code>BACKUP_DIR</code> of the service.{' '}
          <a href={`${servicePath}/docs/operate/backup`}>How to restore it</a>, and what to do with PostgreSQL.
        </p>
        {backup.data && (
          <Notice tone="positive" title="Backup created">
            <code>{backup.data.file}</code>
          </Notice>
        )}
        {backup.error && <AdminErrorNotice error={backup.error} at={backup.submittedAt} />}
      </Stack>
    </Panel>
  )
}

/** Reads the state of the nodes from the metrics of the service, which require the admin key. */
function useNodes() {
  const { servicePath } = useSettings()
  const adminKey = useSession((session) => session.adminKey)
  return useQuery({
    queryKey: [adminQueries, 'nodes'],
    enabled: adminKey !== '',
    refetchInterval: nodesIntervalMs,
    async queryFn({ signal }) {
      const response = await fetch(`${servicePath}/metrics`, { signal, headers: { 'x-admin-key': adminKey } })
      return parseNodes(await response.text())
    },
  })
}

const nodesIntervalMs = 5000

/** Shows the health of the service and of each chain, and the newest blocks as they arrive. */
function HealthPanel() {
  const { servicePath } = useSettings()
  const { nameOfChain } = useNetworks()
  const { data, error, dataUpdatedAt, errorUpdatedAt } = useHealth()
  return (
    <Panel title="Service and chains" actions={<a href={`${servicePath}/health`}>/health</a>}>
      <Stack>
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
      </Stack>
    </Panel>
  )
}

function ServiceHealth({ health }: { readonly health: Health }) {
  const { label, text, tone } = describeService(health)
  return (
    <section aria-label="Service" className={styles['section']}>
      <h3 className="named">
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
  const { nameOfChain } = useNetworks()
  const { label, text, tone } = describeChain(chain)
  const { blockNumber, blockAgeSeconds = 0, available } = chain
  const passedSeconds = Math.max(0, (useNow() - receivedAt) / 1000)
  return (
    <>
      <h3 className="named">
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
  const settings = useSettings()
  return (
    <div className={styles['sections']}>
      {['Service', ...settings.networks.map(({ name }) => name)].map((name, index) => (
        <div key={name} className={styles['section']}>
          <h3 className="named">{name}</h3>
          <Skeleton width="14rem" {...(index === 0 && { label: 'Loading the health of the service' })} />
          <div className={styles['room']} />
        </div>
      ))}
    </div>
  )
}

/** The most recent blocks, newest first. */
export function BlockTable({ blocks, caption }: { readonly blocks: readonly SeenBlock[]; readonly caption: string }) {
  return (
    <div className={styles['frame']}>
      <table className={styles['blocks']}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Block</th>
            <th scope="col">Time</th>
            <th scope="col">Interval</th>
          </tr>
        </thead>
        <tbody>
          {blocks.map((block) => (
            <tr key={`${block.number} ${block.at}`}>
              <td>
                <code>{block.number}</code>
              </td>
              <td>
                <time dateTime={block.at}>{new Date(block.at).toLocaleTimeString()}</time>
              </td>
              <td>{describeInterval(block)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function describeInterval({ blocks, seconds = 0 }: SeenBlock): string {
  if (blocks === undefined) return ''
  if (blocks <= 0) return 'reorganised'
  return `${blocks === 1 ? '1 block' : `${blocks} blocks`} in ${formatDuration(seconds)}`
}
