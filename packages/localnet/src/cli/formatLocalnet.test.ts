import { expect, it } from 'vitest'
import { formatService } from './formatLocalnet.ts'

const url = 'http://127.0.0.1:3000'

it('the table of the service begins with the address of the console', () => {
  const [first, second] = formatService(url, { hasConsole: true, name: 'default' }).split('\n')
  expect([first, second]).toEqual([`Console      ${url}/console`, `REST         ${url}/api/v1`])
})

it('the table of a service without a console has no address of one, and the command that installs the SDK', () => {
  const text = formatService(url, { hasConsole: false, name: 'default' })
  expect(text).not.toContain('onsole')
  expect(text.split('\n')).toContain(`SDK          npm install ${url}/downloads/agio-sdk.tgz`)
})
