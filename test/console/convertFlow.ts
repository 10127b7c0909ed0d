import type { Locator, Page } from 'playwright-core'

/** Enters the amount to pay or the amount to receive. */
export async function enter(page: Page, { from, to, pay, receive }: enter.Terms): Promise<void> {
  const select = async (label: string, symbol: string | undefined) => {
    if (symbol === undefined) return
    await page.getByRole('button', { name: label }).click()
    await page.getByRole('option', { name: symbol }).click()
  }
  await select('Token to pay', from)
  await select('Token to receive', to)
  if (pay !== undefined) await amountField(page, 'You pay').fill(pay)
  if (receive !== undefined) await amountField(page, 'You receive').fill(receive)
}

export declare namespace enter {
  type Terms = {
    /** Symbol of the token to pay; the selected one by default. */
    readonly from?: string
    /** Symbol of the token to receive; the selected one by default. */
    readonly to?: string
    readonly pay?: string
    readonly receive?: string
  }
}

/** The field of an amount. */
export function amountField(page: Page, label: 'You pay' | 'You receive'): Locator {
  return page.getByRole('textbox', { name: label })
}

/** Presses the button of the form once there is a quote to convert. */
export async function pressConvert(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Convert', exact: true }).click()
}

/** The shown conversions, the newest first. */
export function shownConversions(page: Page): Locator {
  return page.getByRole('region', { name: 'Conversions' }).getByRole('article')
}

/** The shown conversions in a state, the newest first. */
export function conversionsIn(page: Page, state: ConversionState): Locator {
  const badge = page.locator('header', { has: page.getByText(state, { exact: true }) })
  return shownConversions(page).filter({ has: badge })
}

type ConversionState = 'Done' | 'Cancelled' | 'Failed' | 'Rejected' | 'In another tab' | 'In progress'

/** Waits until a conversion is done, and returns the amounts that it shows, as decimal strings. */
export async function readDone(page: Page): Promise<{ readonly paid: string; readonly received: string }> {
  const conversion = conversionsIn(page, 'Done').first()
  await conversion.waitFor()
  const [paid = '', received = ''] = await conversion.locator('dd').allTextContents()
  return { paid: toDecimal(paid), received: toDecimal(received) }
}

/** The code of the error that is shown in a part of the page. */
export async function readCode(part: Locator): Promise<string> {
  const code = part.locator('details code').first()
  await code.waitFor({ state: 'attached' })
  return (await code.textContent()) ?? ''
}

/** Answers the dialogue of the test wallet of the page, once it opens. */
export async function answerTestWallet(page: Page, asked: Asked, answer: 'Confirm' | 'Reject'): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Test wallet' }).filter({ hasText: `This page wants ${asked}` })
  await dialog.getByRole('button', { name: answer }).click()
  await dialog.waitFor({ state: 'detached' })
}

type Asked = 'to see the address' | 'to claim' | 'a signature' | 'to let a contract take' | 'to convert' | 'to cancel'

/** Returns the decimal string of an amount as the page shows it: `1,065.087440 tUSD`. */
export function toDecimal(shown: string): string {
  return shown.replaceAll(',', '').split(' ')[0] ?? ''
}
