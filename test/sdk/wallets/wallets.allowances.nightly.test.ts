import { describeConversions } from './describeConversions.ts'

describeConversions('an approval')
