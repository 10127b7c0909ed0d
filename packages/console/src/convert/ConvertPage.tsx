import { useEffect, useRef } from 'react'
import { classes } from '../ui/classes.ts'
import { useWallet } from '../wallet/useWallet.ts'
import { conversionsId, ConversionList } from './conversions/ConversionList.tsx'
import { useConversions, useShownConversion } from './conversions/conversions.ts'
import styles from './ConvertPage.module.css'
import { ConvertForm, formName } from './form/ConvertForm.tsx'
import { useConvertForm } from './form/useConvertForm.ts'
import { useFormOfUrl } from './form/useForm.ts'
import { ConvertSettings } from './quote/ConvertSettings.tsx'
import { QuoteDetails } from './quote/QuoteDetails.tsx'

/** The Convert page: the form on the left, the quote and the conversions on the right. */
export function ConvertPage() {
  const form = useConvertForm(useWallet())
  useFormOfUrl(form.chain)
  const isShown = useShown()
  return (
    <div className={classes(isShown && styles['progress'])}>
      <header className={styles['head']}>
        <h1>Convert</h1>
        <ConvertSettings />
      </header>
      <div className={styles['columns']}>
        <ConvertForm {...form} />
        <div className={styles['side']}>
          <div className={styles['quote']}>
            <QuoteDetails {...form} />
          </div>
          <ConversionList />
        </div>
      </div>
    </div>
  )
}

/** Returns whether a narrow page shows a conversion in place of the form. The focus moves to what is shown. */
function useShown(): boolean {
  const shownId = useShownConversion((shown) => shown.id)
  const isShown = useConversions(({ conversions }) => conversions.some(({ id }) => id === shownId))
  const wasShown = useRef(isShown)
  useEffect(() => {
    if (wasShown.current === isShown) return
    wasShown.current = isShown
    const [list, form] = [document.getElementById(conversionsId), document.forms.namedItem(formName)]
    if (!isShown && document.activeElement === document.body) form?.querySelector('input')?.focus()
    if (isShown && form?.checkVisibility() === false) list?.focus()
  }, [isShown])
  return isShown
}
