import { createAgio } from '@agio/sdk'

const agio = createAgio({ url: '/agio' })
const { pools } = await agio.api.pools.list.query()
document.body.textContent = pools.map(({ name }) => name).join()
