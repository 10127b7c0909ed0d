import { useNow } from '@agio/react/internal'
import { useHealth } from './useHealth.ts'

/**
 * Returns the time of the service in milliseconds, and updates it every second. The times of quotes are of its clock: the clock of
 * the device may be wrong. Until the service has told its time, it returns the time of the device.
 */
export function useServiceNow(): number {
  const now = useNow()
  const { data, dataUpdatedAt } = useHealth()
  return data ? now + Date.parse(data.health.timestamp) - dataUpdatedAt : now
}
