import { lazy, Suspense, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import styles from './quote.module.css'
import { formatDuration } from '../../time/formatDuration.ts'
import { shortenHex } from '../../ui/Address.tsx'
import { formatPercent } from './slippage.ts'
import { defaultSettings, type Settings, useConvertSettings } from './useConvertSettings.ts'

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

/** Returns a text for each setting that differs from its default, for example `Tolerance 0.5%`. */
function describeSettings({ slippageBps, validForSeconds, recipient, approval }: Settings): readonly string[] {
  return [
    slippageBps === defaultSettings.slippageBps ? undefined : `Tolerance ${formatPercent(slippageBps)}%`,
    validForSeconds === defaultSettings.validForSeconds ? undefined : `Deadline ${formatDuration(validForSeconds)}`,
    approval === defaultSettings.approval ? undefined : 'Approval by transaction',
    recipient === undefined ? undefined : `To ${shortenHex(recipient)}`,
  ].filter((text) => text !== undefined)
}
