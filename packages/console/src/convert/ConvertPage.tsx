import { useWallet } from '../wallet/useWallet.ts'
import { ConversionList } from './conversions/ConversionList.tsx'
import styles from './ConvertPage.module.css'
import { ConvertForm } from './form/ConvertForm.tsx'
import { useConvertForm } from './form/useConvertForm.ts'
import { useFormOfUrl } from './form/useFormOfUrl.ts'
import { useTokens } from './form/useTokens.ts'
import { QuoteDetails } from './quote/QuoteDetails.tsx'

/** The Convert page: the form on the left, the quote and the conversions on the right. */
export function ConvertPage() {
  const { chain, failed } = useTokens()
  useFormOfUrl(chain)
  const form = useConvertForm(chain, useWallet())
  return (
    <>
      <h1>Convert</h1>
      <div className={styles['columns']}>
        <ConvertForm form={form} failed={failed} />
        <div className={styles['side']}>
          <QuoteDetails {...form} />
          <ConversionList />
        </div>
      </div>
    </>
  )
}
