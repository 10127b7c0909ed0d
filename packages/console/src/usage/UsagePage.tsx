import { OperatorKeys } from './keys/OperatorKeys.tsx'
import { OwnUsage } from './own/OwnUsage.tsx'
import styles from './UsagePage.module.css'

/** The usage page: the usage and the limits of the page's API key, and the keys of the service for operators. */
export function UsagePage() {
  return (
    <div className={styles['page']}>
      <h1>Usage and keys</h1>
      <OwnUsage />
      <OperatorKeys />
    </div>
  )
}
