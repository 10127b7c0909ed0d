import { callBoth } from './callBoth.ts'
import type { Cases } from './Case.ts'

/** The codes of pools and routes. */
export const conversionCases = {
  async 'svc/stale-price'({ local, inputs, injectFault }) {
    await injectFault('stale-price')
    await injectFault('market-closed', { symbol: 'tAUD' })
    return await callBoth(local.url, ['convert.preview', inputs['convert.preview']])
  },
  async 'svc/reference-depegged'({ local, inputs, injectFault }) {
    await injectFault('depeg')
    return await callBoth(local.url, ['convert.preview', inputs['convert.preview']])
  },
  'svc/above-max-origin': ({ local, inputs }) =>
    callBoth(local.url, ['convert.preview', { ...inputs['convert.preview'], amountIn: '900000000' }]),
  'svc/no-convergence': ({ local, curved, inputs }) =>
    callBoth(local.url, [
      'convert.preview',
      {
        ...inputs['convert.preview'],
        poolAddress: curved.pool,
        tokenIn: curved.base,
        tokenOut: curved.quote,
        amountIn: '900000',
      },
    ]),
  async 'svc/below-min-target'({ local, inputs, injectFault }) {
    await injectFault('price-move', { symbol: 'tAUD', percent: -1 })
    return await callBoth(local.url, ['transaction.buildConvert', inputs['transaction.buildConvert']])
  },
  'svc/no-route': ({ local, isolated, inputs }) =>
    callBoth(local.url, [
      'convert.preview',
      { ...inputs['convert.preview'], poolAddress: undefined, tokenOut: isolated.quote },
    ]),
  async 'svc/pool-frozen'({ local, inputs, injectFault }) {
    await injectFault('pool-frozen')
    return await callBoth(local.url, ['convert.preview', inputs['convert.preview']])
  },
  'svc/deadline-passed': ({ local, inputs }) =>
    callBoth(local.url, [
      'transaction.buildConvert',
      { ...inputs['transaction.buildConvert'], deadline: 1_700_000_000 },
    ]),
  'svc/amount-too-small': ({ local, chain, inputs }) =>
    callBoth(local.url, [
      'convert.preview',
      {
        ...inputs['convert.preview'],
        tokenIn: chain.tokens['tUSD'],
        tokenOut: chain.tokens['tAUD'],
        amountIn: '0.000001',
      },
    ]),
  'svc/pool-not-found': ({ local, chain, inputs }) =>
    callBoth(local.url, ['pools.get', { ...inputs['pools.get'], poolAddress: chain.deployment.router }]),
} as const satisfies Cases
