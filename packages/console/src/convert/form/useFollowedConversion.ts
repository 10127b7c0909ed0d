import { useAgio } from '@agio/react/internal'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { PageConversion } from '../conversions/conversions.ts'
import { planKey } from '../issues/ApprovalLine.tsx'
import { useForm } from './useForm.ts'

/** Clears the form once its conversion has succeeded. Reads the approval plans again after each conversion. */
export function useFollowedConversion(): void {
  const { getState, subscribe } = useAgio().conversions
  const queryClient = useQueryClient()
  useEffect(() => {
    let before = getState().conversions
    settleForm(before)
    return subscribe(() => {
      const { conversions } = getState()
      const hasEnded = countRunning(conversions) < countRunning(before)
      before = conversions
      if (!hasEnded) return
      settleForm(conversions)
      void queryClient.invalidateQueries({ queryKey: planKey })
    })
  }, [getState, subscribe, queryClient])
}

function settleForm(conversions: readonly PageConversion[]): void {
  const { sentId, mode, setText, setSent } = useForm.getState()
  if (sentId === undefined) return
  const sent = conversions.find(({ id }) => id === sentId)
  if (sent && sent.phase !== 'idle') return
  const last = sent?.steps.at(-1)
  if (last?.kind === 'confirm' && last.status === 'done') setText(mode, '')
  else setSent(undefined)
}

function countRunning(conversions: readonly PageConversion[]): number {
  return conversions.filter(({ phase }) => phase !== 'idle').length
}
