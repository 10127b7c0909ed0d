import { isAgioError, type Conversion } from '@agio/sdk'
import type { Store } from './createStore'

/** Shows the steps of a conversion and what it ends with, and stores each step before the conversion goes on. */
export async function showConversion(conversion: Conversion, store: Store): Promise<void> {
  const [article, list, output] = [element('article'), element('ol'), element('output')]
  article.append(list, output)
  document.querySelector('main')!.append(article)
  let id = ''
  try {
    for await (const step of conversion) {
      store.set(step)
      id = step.conversionId
      list.append(element('li', `${step.kind} ${step.status}`))
    }
    const { amountIn, tokenIn, amountOut, tokenOut } = await conversion
    output.textContent = `Paid ${amountIn} ${tokenIn?.symbol}, received ${amountOut} ${tokenOut?.symbol}`
  } catch (error) {
    output.textContent = isAgioError(error) ? error.message : String(error)
  }
  store.remove(id)
}

function element<Name extends keyof HTMLElementTagNameMap>(name: Name, text = ''): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), { textContent: text })
}
