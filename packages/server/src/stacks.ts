export {
  findLocalStack,
  isStackName,
  listLocalStacks,
  registerLocalStack,
  toStacksFolder,
  type LocalStack,
} from './cli/localStack.ts'
