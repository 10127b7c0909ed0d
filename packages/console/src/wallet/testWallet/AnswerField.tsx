import { Badge } from '../../ui/Notice.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { parseAnswer, useAnswer } from './answers.ts'

/** A field that sets how the test wallet answers, to test rejections or to save clicks. */
export function AnswerField() {
  const { answer, setAnswer } = useAnswer()
  return (
    <SelectField
      label="Answer"
      hint="How the test wallet answers the requests of this tab."
      value={answer}
      onChange={({ target }) => setAnswer(parseAnswer(target.value))}
    >
      <option value="ask">Ask</option>
      <option value="confirm">Always confirm</option>
      <option value="reject">Always reject</option>
    </SelectField>
  )
}

/** Shows that the test wallet answers automatically. */
export function AnswerBadge() {
  const answer = useAnswer((state) => state.answer)
  if (answer === 'ask') return null
  return <Badge tone="warning">{answer === 'confirm' ? 'confirms' : 'rejects'}</Badge>
}
