import { useState } from 'react'
import { TextField } from '../../ui/Field.tsx'
import { findSlippageWarning, formatPercent, parsePercent, slippagePresets } from './slippage.ts'
import styles from './SlippageSetting.module.css'
import { useSlippage } from './useSlippage.ts'

/** The setting of the slippage tolerance: a preset or another value. */
export function SlippageSetting() {
  const { bps, setBps } = useSlippage()
  const isPreset = slippagePresets.some((preset) => preset === bps)
  const [customText, setCustomText] = useState(isPreset ? undefined : formatPercent(bps))
  const parsed = customText === undefined ? { bps } : parsePercent(customText)
  const note = 'error' in parsed ? `${parsed.error} ${formatPercent(bps)}% is kept.` : findSlippageWarning(parsed.bps)
  return (
    <fieldset className={styles['setting']}>
      <legend className="visually-hidden">Slippage tolerance</legend>
      <div className={styles['row']}>
        <span aria-hidden="true">Slippage tolerance</span>
        <div className={styles['choices']}>
          {slippagePresets.map((preset) => (
            <label key={preset} className={styles['choice']}>
              <input
                type="radio"
                name="slippage"
                checked={customText === undefined && preset === bps}
                onChange={() => {
                  setCustomText(undefined)
                  setBps(preset)
                }}
              />
              <span>{formatPercent(preset)}%</span>
            </label>
          ))}
          <label className={styles['choice']}>
            <input
              type="radio"
              name="slippage"
              checked={customText !== undefined}
              onChange={() => setCustomText(formatPercent(bps))}
            />
            <span>Other</span>
          </label>
        </div>
      </div>
      {customText !== undefined && (
        <TextField
          label="Other tolerance in percent"
          inputMode="decimal"
          autoComplete="off"
          value={customText}
          {...('error' in parsed ? { error: note } : { hint: note })}
          onChange={({ target }) => {
            setCustomText(target.value)
            const next = parsePercent(target.value)
            if ('bps' in next) setBps(next.bps)
          }}
        />
      )}
    </fieldset>
  )
}
