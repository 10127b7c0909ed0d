import { useState } from 'react'
import { TextField } from '../../ui/Field.tsx'
import { findSlippageWarning, formatPercent, parsePercent, slippagePresets } from './slippage.ts'
import styles from './SlippageSetting.module.css'
import { useSlippage } from './useSlippage.ts'

/** The setting of the slippage tolerance: a preset or another value. */
export function SlippageSetting() {
  const { bps, setBps } = useSlippage()
  const isPreset = slippagePresets.some((preset) => preset === bps)
  const [own, setOwn] = useState(isPreset ? undefined : formatPercent(bps))
  const parsed = own === undefined ? { bps } : parsePercent(own)
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
                checked={own === undefined && preset === bps}
                onChange={() => {
                  setOwn(undefined)
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
              checked={own !== undefined}
              onChange={() => setOwn(formatPercent(bps))}
            />
            <span>Other</span>
          </label>
        </div>
      </div>
      {own !== undefined && (
        <TextField
          label="Other tolerance in percent"
          inputMode="decimal"
          autoComplete="off"
          value={own}
          {...('error' in parsed ? { error: note } : { hint: note })}
          onChange={({ target }) => {
            setOwn(target.value)
            const next = parsePercent(target.value)
            if ('bps' in next) setBps(next.bps)
          }}
        />
      )}
    </fieldset>
  )
}
