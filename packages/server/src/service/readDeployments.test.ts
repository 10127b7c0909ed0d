import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readDeployments } from './readDeployments.ts'

const address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const deployment = { chainId: 421614, router: address, pools: [address], referenceToken: address }

const { path: folder, remove } = await mkdtempDisposable(join(tmpdir(), 'agio-deployments-'))
afterAll(remove)

it('error: readDeployments without any deployment file names the commands that write one', async () => {
  await expect(readDeployments(folder)).rejects.toThrow('contracts:deploy --network <name>')
  await expect(readDeployments(join(folder, 'missing'))).rejects.toThrow('Cannot serve any network')
})

it.each([
  ['not JSON', '{', /^Cannot read deployment .*84532\.json: it is not JSON$/],
  ['not a deployment', '{}', /^Cannot use deployment .*84532\.json: /],
  ['of another chain', JSON.stringify(deployment), /^Cannot use deployment .*84532\.json: it is for chain 421614$/],
])(
  'error: readDeployments names a file that is %s, though another network could be served',
  async (_, text, message) => {
    await writeFile(join(folder, '84532.json'), text)
    await expect(readDeployments(folder)).rejects.toThrow(message)
  },
)
