import { OperatorKeys } from './keys/OperatorKeys.tsx'
import { OwnUsage } from './own/OwnUsage.tsx'
import styles from './UsagePage.module.css'

/** What the API key of the page has used and has left, and for operators the keys of the service. */
export function UsagePage() {
  return (
    <div className={styles['page']}>
      <h1>Usage and keys</h1>
      <OwnUsage />
      <OperatorKeys />
    </div>
  )
}
