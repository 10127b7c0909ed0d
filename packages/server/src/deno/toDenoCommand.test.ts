import { expect, it } from 'vitest'
import { formatCommand } from './toDenoCommand.ts'

it('a printed command quotes what a shell would read otherwise', () => {
  const command = ['/usr/bin/deno', 'run', '--allow-net=[::]:3000', "--allow-read=/data of/it's", '/app/deno.ts']
  expect(formatCommand(command)).toBe(
    `/usr/bin/deno run '--allow-net=[::]:3000' '--allow-read=/data of/it'\\''s' /app/deno.ts`,
  )
})
