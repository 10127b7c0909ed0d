import { readFileSync } from 'node:fs'
import process from 'node:process'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'

// prom-client reads these from /proc, and reports 0 without access.
const procMetrics = ['process_virtual_memory_bytes', 'process_heap_bytes', 'process_open_fds', 'process_max_fds']

/**
 * Collects the metrics of the process and its runtime. Without access to /proc, the metrics from there are absent. Deno
 * grants this access only to a process with all permissions.
 */
export function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry })
  if (process.platform !== 'linux' || isProcReadable()) return
  for (const name of procMetrics) registry.removeSingleMetric(name)
  const name = 'process_resident_memory_bytes'
  registry.removeSingleMetric(name)
  const collect = function collect(this: Gauge) {
    this.set(process.memoryUsage().rss)
  }
  registry.registerMetric(new Gauge({ name, help: 'Resident memory size in bytes.', registers: [], collect }))
}

function isProcReadable(): boolean {
  try {
    return readFileSync('/proc/self/status').length > 0
  } catch {
    return false
  }
}
