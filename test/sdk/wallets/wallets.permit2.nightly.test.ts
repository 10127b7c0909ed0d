import { describeConversions } from './describeConversions.ts'

describeConversions('Permit2')
