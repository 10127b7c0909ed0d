import { shortenHex } from '../../ui/hex.ts'
import { formatDuration } from '../../time/formatDuration.ts'
import { formatPercent } from './slippage.ts'
import { defaultSettings, type Settings } from './useConvertSettings.ts'

/** Returns a text for each setting that differs from its default, for example `Tolerance 0.5%`. */
export function describeSettings({ slippageBps, validForSeconds, recipient, approval }: Settings): readonly string[] {
  return [
    slippageBps === defaultSettings.slippageBps ? undefined : `Tolerance ${formatPercent(slippageBps)}%`,
    validForSeconds === defaultSettings.validForSeconds ? undefined : `Deadline ${formatDuration(validForSeconds)}`,
    approval === defaultSettings.approval ? undefined : 'Approval by transaction',
    recipient === undefined ? undefined : `To ${shortenHex(recipient)}`,
  ].filter((text) => text !== undefined)
}
