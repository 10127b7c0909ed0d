import { readPort } from './readPort.ts'

/** Where the service beside local chains answers. @throws `Error` that names the variable */
export function readAddress(environment: NodeJS.ProcessEnv): { readonly host: string; readonly port: number } {
  return { host: environment['HOST'] || '127.0.0.1', port: readPort('PORT', 3000) }
}
