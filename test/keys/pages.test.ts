import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import { createAgioAdmin, readAllKeys } from '../../packages/sdk/src/admin.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { expectDocumented } from '../harness/openApi.ts'
import { adminKey } from '../harness/settingsFor.ts'
import { startAgio } from '../harness/startAgio.ts'
import { setUp } from '../harness/setUp.ts'

type Page = {
  readonly keys: readonly { readonly id: string }[]
  readonly pagination: { readonly page: number; readonly limit: number; readonly total: number }
  readonly totals?: object
}

describe('pages of keys', () => {
  const stack = setUp(() => startAgio({ ownDatabase: true }))

  async function send(path: string, query: string) {
    const { statusCode, body } = await request(`${stack.url}/api/v1/admin/${path}${query}`, {
      headers: { 'x-admin-key': adminKey },
    })
    const answer = (await body.json()) as { readonly data: Page; readonly code?: string; readonly field?: string }
    expectDocumented(`admin.${path === 'stats' ? 'stats' : 'keys.list'}`, statusCode, answer)
    return { status: statusCode, ...answer }
  }

  it.each(['keys', 'stats'])('admin/%s returns page by page what it returns at once, newest first', async (path) => {
    const admin = createAdminClient(stack.url)
    const issued = [await admin.issue(), await admin.issue(), await admin.issue()]
    const { data: all } = await send(path, '')
    const { total } = all.pagination
    expect(all.pagination).toEqual({ page: 1, limit: 1000, total: all.keys.length })
    const pages = await Promise.all([1, 2, 3].map(async (page) => (await send(path, `?page=${page}&limit=1`)).data))
    expect(pages.map(({ pagination }) => pagination)).toEqual([1, 2, 3].map((page) => ({ page, limit: 1, total })))
    expect(pages.flatMap(({ keys }) => keys)).toEqual(all.keys.slice(0, 3))
    expect(all.keys.slice(0, 3).map(({ id }) => id)).toEqual(issued.toReversed().map(({ id }) => id))
    expect(pages.map(({ totals }) => totals)).toEqual([1, 2, 3].map(() => all.totals))
    expect((await send(path, '?page=1000000')).data).toMatchObject({ keys: [], pagination: { total } })
  })

  it.each(['page=0', 'page=1.5', 'limit=0', 'limit=1001', 'limit=all'])(
    'error: admin/keys and admin/stats with %s are 400 and name the parameter',
    async (parameter) => {
      const refused = { status: 400, code: 'svc/invalid-request', field: parameter.split('=')[0] }
      for (const path of ['keys', 'stats']) expect(await send(path, `?${parameter}`)).toMatchObject(refused)
    },
  )

  it('readAllKeys of the SDK returns the keys of all pages, each once, although a key is created meanwhile', async () => {
    const [admin, issuer] = [createAgioAdmin({ url: stack.url, adminKey }), createAdminClient(stack.url)]
    await issuer.issue()
    // With an even number of keys, the last of them moves to a page of its own.
    const { pagination } = await admin.keys.list.query()
    if (pagination.total % 2 === 1) await issuer.issue()
    const { keys: before } = await admin.keys.list.query()
    const { keys } = await readAllKeys(async (page) => {
      const read = await admin.keys.list.query({ page, limit: 2 })
      if (page === 1) await issuer.issue()
      return read
    })
    expect(keys).toEqual(before)
    const usage = await readAllKeys((page) => admin.stats.query({ page, limit: 2 }))
    expect(usage.keys.map(({ id }) => id)).toEqual((await admin.keys.list.query()).keys.map(({ id }) => id))
  })
})
