import { expectDocumented } from '../contract/openApi.ts'

/** Tells how a body differs from what openapi.json says that an operation answers with a status, if it does. */
export function judgeByDocument(operationId: string, status: number, body: unknown): string | undefined {
  try {
    expectDocumented(operationId, status, body)
    return undefined
  } catch (error) {
    return String(error)
  }
}
