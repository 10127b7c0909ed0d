import { operations } from '../contract/openApi.ts'
import type { Answer } from './Answer.ts'
import { judgeByDocument } from './judgeByDocument.ts'
import { judgeFailure } from './judgeFailure.ts'

/**
 * Tells what is wrong with an answer over REST, if anything.
 *
 * @param asked what the answer is for, if that is known
 */
export function judgeRest(asked: judgeRest.Asked | undefined, answer: Answer): string | undefined {
  const { status, text } = answer
  const body = parse(text)
  const wrong = status === 200 ? undefined : judgeFailure(body, answer)
  if (wrong !== undefined || !asked) return wrong
  const operation = operations.find(({ method, path }) => method === asked.method && toPattern(path).test(asked.path))
  if (operation) return judgeByDocument(operation.operationId, status, body)
  return status === 200 ? 'it is a success where openapi.json has none' : undefined
}

export declare namespace judgeRest {
  type Asked = {
    readonly method: string
    readonly path: string
  }
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
