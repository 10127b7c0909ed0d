import type { NetworkHooks } from 'hardhat/types/hooks'

/** The methods by which a local node learns its deployment, and tells it to forks and to other processes. */
export const deploymentMethods = { set: 'agio_setDeployment', get: 'agio_deployment' } as const

/** Creates the handler of the requests that set and get the deployment of a connection. All others go on. */
export function rememberDeployment(): NetworkHooks['onRequest'] {
  const deployments = new WeakMap<object, unknown>()
  return async (...[context, connection, request, next]) => {
    const { id, method, params } = request
    const answer = (result: unknown) => ({ jsonrpc: '2.0' as const, id, result })
    if (method === deploymentMethods.set && Array.isArray(params)) {
      deployments.set(connection, params[0])
      return answer(true)
    }
    const isKnown = method === deploymentMethods.get && deployments.has(connection)
    return isKnown ? answer(deployments.get(connection)) : await next(context, connection, request)
  }
}
