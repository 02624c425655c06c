import './ask.css';
import { CallCode } from '../parts/call-as.tsx';
import { place } from '../parts/place.ts';
import { Problem } from '../parts/problem.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { Context } from './context.tsx';
import { answerOf, questionInAddress } from './question.ts';
import { QuestionForm } from './question-form.tsx';
import { Results } from './results.tsx';

/** What an agent finds for a question, why, and the text that it gets. */
export function Ask() {
  const question = questionInAddress(place.value.params);
  const key = JSON.stringify(question);
  const { value, problem, reload } = useLoaded(
    async () => (question === null ? null : answerOf(question, key)),
    key,
  );
  const isCurrent = value?.key === key;
  return (
    <div class="page ask">
      <QuestionForm onSame={() => void reload()} />
      <Problem problem={problem} reload={reload} />
      {question === null && (
        <p class="empty">
          Ask as an agent would. You see which memories it finds, why, which are not used, and the
          context that it gets.
        </p>
      )}
      {question !== null && !isCurrent && !problem && <p role="status">Asking…</p>}
      {question !== null && value !== null && isCurrent && (
        <>
          <div class="columns">
            <Results answer={value} />
            <Context answer={value} budget={question.context.max_tokens} />
          </div>
          <details class="call">
            <summary>These calls as code</summary>
            <h3>Search</h3>
            <CallCode operation="search_memories" input={question.search} />
            <h3>Context</h3>
            <CallCode operation="get_context" input={question.context} />
          </details>
        </>
      )}
    </div>
  );
}
