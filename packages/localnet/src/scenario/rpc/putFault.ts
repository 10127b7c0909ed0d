import type { Stage } from '../Scenario.ts'
import type { RpcFault } from './startFaultProxy.ts'

/** Puts a fault between service and node, in place of the last one: the very next question to the node meets it. */
export async function putFault({ getProxy, letAsk, onReset }: Stage, fault: RpcFault): Promise<void> {
  const proxy = getProxy()
  onReset(proxy.clear)
  proxy.put(fault)
  // After another fault nobody might ask.
  letAsk()
}
