export { toUrl } from '../serving/serving.ts'
export { formatTable } from './formatTable.ts'
export { findLocalStack, registerLocalStack, type LocalStack } from './localStack.ts'
export { readArguments, runOnce, wantsHelp } from './runOnce.ts'
