import { CallsPanel } from './calls/CallsPanel.tsx'
import styles from './DevelopersPage.module.css'
import { HealthPanel } from './health/HealthPanel.tsx'
import { ScenariosPanel } from './scenarios/ScenariosPanel.tsx'
import { findInstallCommand, servicePath, serviceUrl, settings } from '../settings/settings.ts'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Panel } from '../ui/Panel.tsx'

/** The Developers page: recent calls, fault injection, and the health of the service. */
export function DevelopersPage() {
  return (
    <div className={styles['page']}>
      <h1>Developers</h1>
      <CallsPanel />
      <HealthPanel />
      <ScenariosPanel />
      <ReferencePanel />
    </div>
  )
}

/** Links to the interfaces and their documentation. */
function ReferencePanel() {
  const install = findInstallCommand()
  return (
    <Panel title="Reference">
      <dl className={styles['facts']}>
        <Address name="REST" value={`${serviceUrl}/api/v1`} />
        <Address name="tRPC" value={`${serviceUrl}/trpc`} />
        {install !== undefined && <Address name="SDK" value={install} />}
        <dt>Version</dt>
        <dd>
          <code>{settings.version}</code>
        </dd>
      </dl>
      <ul className={styles['links']}>
        <li>
          <a href={`${servicePath}/docs`}>Guides</a>
        </li>
        <li>
          <a href={`${servicePath}/docs/sdk`}>SDK</a>
        </li>
        <li>
          <a href={`${servicePath}/docs/api`}>API reference</a>
        </li>
        <li>
          <a href={`${servicePath}/docs/errors`}>Error codes</a>
        </li>
        <li>
          <a href={`${servicePath}/openapi.json`}>openapi.json</a>
        </li>
      </ul>
    </Panel>
  )
}

function Address({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <code>{value}</code>
        <CopyButton text={value} label={`Copy ${value}`} />
      </dd>
    </>
  )
}
