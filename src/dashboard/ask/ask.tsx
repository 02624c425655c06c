import { useState } from 'preact/hooks';
import type { GetContextOutput, ScoredMemory } from '../../client.ts';
import { CallAs, CopyButton } from '../parts/call-as.tsx';
import { messageOf } from '../parts/message-of.ts';
import { asOfPast } from '../parts/past.tsx';
import { client } from '../parts/session.ts';

type TypedQuestion = { query: string; user_id?: string; as_of?: string };
type Answer = { question: TypedQuestion; results: ScoredMemory[]; context: GetContextOutput };

/** What an agent finds for a question, and the text that it gets. */
export function Ask() {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [problem, setProblem] = useState('');

  async function ask(question: TypedQuestion) {
    try {
      const [{ results }, context] = await Promise.all([
        client.searchMemories(question),
        client.getContext(question),
      ]);
      setAnswer({ question, results, context });
      setProblem('');
    } catch (error) {
      setProblem(messageOf(error));
    }
  }

  return (
    <div class="ask">
      <QuestionForm onAsk={(question) => void ask({ ...question, ...asOfPast() })} />
      {problem && <p role="alert">{problem}</p>}
      {answer === null ? (
        <p class="empty">
          Ask as an agent would. You see which memories it finds, how they scored, and the block of
          context that it gets.
        </p>
      ) : (
        <Answered {...answer} />
      )}
    </div>
  );
}

function QuestionForm({ onAsk }: { onAsk: (question: TypedQuestion) => void }) {
  return (
    <form
      class="search"
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        const [query, user_id] = ['query', 'user_id'].map((name) => String(data.get(name)).trim());
        onAsk(user_id ? { query: query ?? '', user_id } : { query: query ?? '' });
      }}
    >
      <input
        type="search"
        name="query"
        aria-label="Question"
        placeholder="Where does Ada live?  ( / )"
        required
      />
      <input name="user_id" aria-label="User" placeholder="Any user" />
      <button class="primary" type="submit">
        Ask
      </button>
    </form>
  );
}

function Answered({ question, results, context }: Answer) {
  return (
    <div class="columns">
      <section aria-label="Results">
        <h2>Found</h2>
        {results.length === 0 && <p class="empty">No memory answers this well enough.</p>}
        <ol class="results">
          {results.map(({ id, memory, score }) => (
            <li key={id}>
              <span dir="auto">{memory}</span>
              <span class="score">
                <meter min={0} max={1} value={score} aria-label="Score" />
                {score.toFixed(2)}
              </span>
            </li>
          ))}
        </ol>
        <CallAs operation="search_memories" input={question} />
      </section>
      <Context {...context} />
    </div>
  );
}

const kinds = {
  always: 'Always of use',
  upcoming: 'Upcoming',
  answers: 'Answers',
  around: 'Around them',
  recent: 'Recent',
};
const reasons = {
  below_cut: 'scored too low',
  duplicate: 'say the same as another',
  over_budget: 'did not fit the budget',
};

function Context({ text, blocks, used, left_out }: GetContextOutput) {
  return (
    <section aria-label="Context">
      <h2>
        What the agent gets <span class="quiet">{used} tokens</span>
      </h2>
      <dl class="facts">
        {blocks.map(({ kind, tokens }, at) => (
          <div key={`${kind}${at}`}>
            <dt>{kinds[kind]}</dt>
            <dd class="score">
              <meter min={0} max={Math.max(used, 1)} value={tokens} aria-label={kinds[kind]} />
              {tokens}
            </dd>
          </div>
        ))}
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <pre tabIndex={0} dir="auto">
        {text || 'Nothing: no memory is of use here.'}
      </pre>
      <CopyButton text={text} />
      {Object.entries(reasons).map(([reason, words]) => {
        const count = left_out.filter((each) => each.reason === reason).length;
        return count > 0 && <p key={reason} class="quiet">{`Left out: ${count} ${words}.`}</p>;
      })}
    </section>
  );
}
