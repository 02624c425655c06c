import { limits } from '../../client.ts';
import type { Output } from '../../contract.ts';
import { CopyButton } from '../parts/call-as.tsx';
import { NotUsed } from '../parts/ranking.tsx';
import type { QuestionAnswer } from './question.ts';

const kinds: Record<Output<'get_context'>['blocks'][number]['kind'], string> = {
  always: 'Always of use',
  upcoming: 'Upcoming',
  answers: 'Answers',
  around: 'Around them',
  recent: 'Recent',
};
const reasons: Record<Output<'get_context'>['left_out'][number]['reason'], string> = {
  below_cut: 'scored too low',
  duplicate: 'the same as another',
  over_budget: 'over the token budget',
};

type ContextProps = { answer: QuestionAnswer; budget?: number | undefined };

/** Shows the context as an agent gets it, its tokens, and what was left out. */
export function Context({ answer, budget = limits.context_tokens_default }: ContextProps) {
  const { text, blocks, used, left_out, warning } = answer.context;
  return (
    <section aria-label="Context">
      <h2>
        What the agent gets{' '}
        <span class="quiet">
          {used.toLocaleString('en')} of {budget.toLocaleString('en')} tokens
        </span>
      </h2>
      <meter class="budget" min={0} max={budget} value={used} aria-label="Used of the budget" />
      {warning !== undefined && <p role="status">{warning}</p>}
      <dl class="facts">
        {blocks.map(({ kind, tokens }, at) => (
          <div key={`${kind}${at}`}>
            <dt>{kinds[kind]}</dt>
            <dd class="score">
              <meter min={0} max={Math.max(used, 1)} value={tokens} aria-label={kinds[kind]} />
              {tokens.toLocaleString('en')} tokens
            </dd>
          </div>
        ))}
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <pre tabIndex={0} dir="auto">
        {text || 'Nothing: no memory is of use here.'}
      </pre>
      <CopyButton text={text} />
      {left_out.length > 0 && (
        <details>
          <summary>Not used: {left_out.length}</summary>
          <NotUsed
            memories={left_out.map(({ id, reason }) => ({
              id,
              memory: answer.texts.get(id) ?? id,
              why: reasons[reason],
            }))}
          />
        </details>
      )}
    </section>
  );
}
