import { setupAgio } from '@agio/localnet/vitest/setup'

export const setup = setupAgio({ settings: { phase: 'production' } })
