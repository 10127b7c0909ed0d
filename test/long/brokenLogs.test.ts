import process from 'node:process'
import { expect, it } from 'vitest'
import { brokenOutputs } from '../server/brokenOutputs.ts'
import { findFreePort } from '../harness/findFreePort.ts'
import { startWithOutput } from '../server/startWithOutput.ts'
import { recordTrial } from './trials.ts'

const keys = { 'x-api-key': 'local-key', 'x-admin-key': 'local-admin-key' }
const rounds = 5

// The data directory of `pnpm start` belongs to one process: no other test may run it at the same time.
it.each(Object.entries(brokenOutputs))(
  'pnpm start that logs to %s answers, counts the dropped lines, and ends on SIGTERM',
  async (name, openOutput) => {
    using output = openOutput()
    const port = String(await findFreePort())
    const env = { PORT: port, HOST: '127.0.0.1', RPC_PORT: '0', LOG_LEVEL: 'info', CONSOLE: 'off' }
    const options = { url: `http://127.0.0.1:${port}`, keys, env }
    const command = [process.execPath, 'packages/cli/src/main.ts', 'dev']
    await using service = startWithOutput(command, output, options)
    const getStatus = async () => (await service.get('/health')).status
    await expect.poll(() => getStatus().catch(String)).toBe(200)
    output.fail()
    for (let round = 0; round < rounds; round += 1) {
      await service.fillLog()
      expect((await service.get('/api/v1/pools')).status).toBe(200)
    }
    const droppedLines = await service.countDropped()
    expect(droppedLines).toBeGreaterThan(0)
    expect(await service.stop()).toBe(0)
    recordTrial({
      trial: `\`pnpm start\` that logs to ${name}`,
      tried: `${(rounds * 600).toLocaleString('en')} requests with a log line of 10 kB each, then SIGTERM`,
      result: `Every request answered, ${droppedLines.toLocaleString('en')} log lines dropped and counted, exit code 0`,
    })
  },
)
