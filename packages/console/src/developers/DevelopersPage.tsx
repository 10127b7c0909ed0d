import { CallsPanel } from './calls/CallsPanel.tsx'
import styles from './DevelopersPage.module.css'
import { HealthPanel } from './health/HealthPanel.tsx'
import { ReferencePanel } from './ReferencePanel.tsx'
import { ScenariosPanel } from './scenarios/ScenariosPanel.tsx'

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
