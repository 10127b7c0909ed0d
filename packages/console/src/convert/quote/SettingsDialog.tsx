import { useState, type ReactNode } from 'react'
import { formatDuration } from '../../time/formatDuration.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import styles from './quote.module.css'
import { findSlippageWarning, formatPercent, parsePercent, slippagePresets } from './slippage.ts'
import { defaultSettings, useConvertSettings } from './useConvertSettings.ts'

/** The settings of conversions. A valid value counts at once, and the last valid value is kept otherwise. */
export function SettingsDialog({ onClose }: { readonly onClose: () => void }) {
  const { validForSeconds, approval, change } = useConvertSettings()
  const [resets, setResets] = useState(0)
  return (
    <Dialog title="Settings" onClose={onClose}>
      <Slippage key={`slippage ${resets}`} />
      <Choices name="Deadline" hint="The quote and its transaction expire after this time.">
        {deadlines.map((seconds) => (
          <Choice
            key={seconds}
            name="deadline"
            label={formatDuration(seconds)}
            isChecked={seconds === validForSeconds}
            onSelect={() => change({ validForSeconds: seconds })}
          />
        ))}
      </Choices>
      <Choices name="Approval" hint={approvalHints[approval]}>
        <Choice
          name="approval"
          label="Shortest way"
          isChecked={approval === 'shortest'}
          onSelect={() => change({ approval: 'shortest' })}
        />
        <Choice
          name="approval"
          label="Transaction"
          isChecked={approval === 'approve'}
          onSelect={() => change({ approval: 'approve' })}
        />
      </Choices>
      <Recipient key={`recipient ${resets}`} />
      <DialogActions>
        <Button
          onClick={() => {
            change(defaultSettings)
            setResets(resets + 1)
          }}
        >
          Reset
        </Button>
        <Button variant="primary" onClick={onClose}>
          Close settings
        </Button>
      </DialogActions>
    </Dialog>
  )
}

// The service accepts 10 to 600 seconds.
const deadlines = [defaultSettings.validForSeconds, 300, 600] as const

const approvalHints = {
  shortest: 'Uses a batch or a signature if the wallet and the token support it.',
  approve: 'Always sends an approval transaction first, which costs gas.',
} as const

function Slippage() {
  const { slippageBps: bps, change } = useConvertSettings()
  const isPreset = slippagePresets.some((preset) => preset === bps)
  const [customText, setCustomText] = useState(isPreset ? undefined : formatPercent(bps))
  const parsed = customText === undefined ? { bps } : parsePercent(customText)
  const note = 'error' in parsed ? `${parsed.error} ${formatPercent(bps)}% is kept.` : findSlippageWarning(parsed.bps)
  return (
    <>
      <Choices name="Slippage tolerance" hint="The conversion reverts if the price is worse by more than this.">
        {slippagePresets.map((preset) => (
          <Choice
            key={preset}
            name="slippage"
            label={`${formatPercent(preset)}%`}
            isChecked={customText === undefined && preset === bps}
            onSelect={() => {
              setCustomText(undefined)
              change({ slippageBps: preset })
            }}
          />
        ))}
        <Choice
          name="slippage"
          label="Other"
          isChecked={customText !== undefined}
          onSelect={() => setCustomText(formatPercent(bps))}
        />
      </Choices>
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
            if ('bps' in next) change({ slippageBps: next.bps })
          }}
        />
      )}
    </>
  )
}

function Recipient() {
  const { recipient, change } = useConvertSettings()
  const [text, setText] = useState<string>(recipient ?? '')
  const isInvalid = text.trim() !== '' && !isAddress(text.trim())
  return (
    <TextField
      label="Recipient"
      placeholder="Your wallet"
      autoComplete="off"
      spellCheck={false}
      value={text}
      {...(isInvalid
        ? { error: 'Enter an address with 0x and 40 hexadecimal digits. Your wallet receives until then.' }
        : { hint: 'Receives the tokens instead of your wallet, until you reload the page.' })}
      onChange={({ target }) => {
        setText(target.value)
        const address = target.value.trim()
        change({ recipient: isAddress(address) ? address : undefined })
      }}
    />
  )
}

function isAddress(text: string): text is `0x${string}` {
  return /^0x[\da-f]{40}$/i.test(text)
}

type ChoicesProps = { readonly name: string; readonly hint: string; readonly children: ReactNode }

function Choices({ name, hint, children }: ChoicesProps) {
  return (
    <fieldset className={styles['setting']}>
      <legend className="visually-hidden">{name}</legend>
      <div className={styles['settingRow']}>
        <span aria-hidden="true">{name}</span>
        <div className={styles['choices']}>{children}</div>
      </div>
      <p className="note">{hint}</p>
    </fieldset>
  )
}

type ChoiceProps = {
  readonly name: string
  readonly label: string
  readonly isChecked: boolean
  readonly onSelect: () => void
}

function Choice({ name, label, isChecked, onSelect }: ChoiceProps) {
  return (
    <label className={styles['choice']}>
      <input type="radio" name={name} checked={isChecked} onChange={onSelect} />
      <span>{label}</span>
    </label>
  )
}
