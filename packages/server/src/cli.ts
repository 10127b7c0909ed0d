export { defineSettings, parseSettings, type SettingsOf } from './settings/defineSettings.ts'
export { formatHelp } from './settings/formatSettings.ts'
export { defaultSettings } from './settings/parseServiceSettings.ts'
export { serviceSettings } from './settings/serviceSettings.ts'
export { toUrl } from './serving/serving.ts'
export { ignoreOutputErrors } from './cli/command.ts'
export {
  findLocalStack,
  isStackName,
  listLocalStacks,
  registerLocalStack,
  toStacksFolder,
  type LocalStack,
} from './cli/localStack.ts'
export { stopOnSignal } from './cli/command.ts'
export { migrateOnNode, serveOnNode } from './serving/serveOnNode.ts'
