import { describeConversions } from './describeConversions.ts'

describeConversions('a permit or a batch')
