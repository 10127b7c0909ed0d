import { lazy, Suspense, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import styles from './ConvertSettings.module.css'
import { describeSettings } from './describeSettings.ts'
import { useConvertSettings } from './useConvertSettings.ts'

const SettingsDialog = lazy(async () => ({ default: (await import('./SettingsDialog.tsx')).SettingsDialog }))

/** A button that opens the settings of a conversion. The settings that differ from the defaults are beside it. */
export function ConvertSettings() {
  const [isOpen, setIsOpen] = useState(false)
  const changed = describeSettings(useConvertSettings())
  return (
    <div className={styles['settings']}>
      <p>{changed.join(' · ')}</p>
      <Button variant="quiet" size="small" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        Settings
      </Button>
      <Suspense>{isOpen && <SettingsDialog onClose={() => setIsOpen(false)} />}</Suspense>
    </div>
  )
}
