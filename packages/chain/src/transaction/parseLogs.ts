import { parseEventLogs, type Abi, type ContractEventName, type Log, type ParseEventLogsReturnType } from 'viem'
import type { TransactionLog } from './readReceipt.ts'

/** Decodes the logs of one event, and skips all other logs, also logs of the same name without its fields. */
export function parseLogs<const abi extends Abi, name extends ContractEventName<abi>, log extends Loggable>(
  { abi, eventName }: { readonly abi: abi; readonly eventName: name },
  logs: readonly log[],
): readonly ParsedLog<abi, name, log>[] {
  const parsed = parseEventLogs<Abi, true, string>({ abi, eventName, logs: [...logs] as unknown as Log[] })
  return parsed as unknown as readonly ParsedLog<abi, name, log>[]
}

type Loggable = Pick<TransactionLog, 'address' | 'topics' | 'data'>

type ParsedLog<abi extends Abi, name extends ContractEventName<abi>, log> = log &
  Pick<ParseEventLogsReturnType<abi, name, true>[number], 'args'>
