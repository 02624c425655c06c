import type { ScoredMemory } from '../../contract/schemas/memory.ts';
import type { Explanation } from '../../contract/schemas/search.ts';
import { OwnerLink } from '../owners/owner-link.tsx';
import { Ago } from '../parts/ago.tsx';
import { linkTo, place, setParams } from '../parts/place.ts';
import { NotUsed, ScoreBar, whyNotUsed } from '../parts/ranking.tsx';
import type { QuestionAnswer, UnknownOwner } from './question.ts';
import { Stages } from './stages.tsx';
import { Why } from './why.tsx';

/** Shows what a search finds, why, and what it leaves out. */
export function Results({ answer: { search, texts, unknown } }: { answer: QuestionAnswer }) {
  const { results, weak = [], note, warning, explanation } = search;
  const { left_out = [], stages = [] } = explanation ?? {};
  const threshold = stages.find(({ stage }) => stage === 'threshold')?.limit ?? null;
  return (
    <section aria-label="Results">
      <h2>
        Found <span class="quiet">{results.length}</span>
      </h2>
      {warning !== undefined && <p role="status">{warning}</p>}
      {note !== undefined && <p role="status">{note}</p>}
      {results.length === 0 && <NothingFound unknown={unknown} />}
      <Answers memories={results} explanation={explanation} label="Found memories" />
      {weak.length > 0 && (
        <>
          <h3>The nearest</h3>
          <Answers memories={weak} explanation={explanation} label="The nearest memories" />
        </>
      )}
      <NotUsed
        memories={left_out.map(({ id, score, stage, limit }) => ({
          id,
          memory: texts.get(id) ?? id,
          score,
          // A memory with a score of 0 is under the threshold too.
          why: whyNotUsed(stage, stage === 'score' ? threshold : limit),
        }))}
      />
      {explanation !== undefined && <Stages explanation={explanation} />}
    </section>
  );
}

function NothingFound({ unknown }: { unknown: UnknownOwner | null }) {
  if (unknown === null) {
    return (
      <p>
        No memory answers this well enough. Ask in other words, or about{' '}
        <a href={linkTo('ask', '', { query: place.value.params.query })}>anybody</a>.
      </p>
    );
  }
  const { kind, id, nearest } = unknown;
  const { params } = place.value;
  return (
    <p role="status">
      No {kind} of the name <strong dir="auto">{id}</strong> has memories.
      {nearest !== null && (
        <>
          {' '}
          Did you mean{' '}
          <a href={linkTo('ask', '', { ...params, [`${kind}_id`]: nearest })} dir="auto">
            {nearest}
          </a>
          ?
        </>
      )}
    </p>
  );
}

type AnswersProps = {
  memories: readonly ScoredMemory[];
  explanation: Explanation | undefined;
  label: string;
};

function Answers({ memories, explanation, label }: AnswersProps) {
  const open = place.value.params.memory_id;
  return (
    <ol class="answers" aria-label={label}>
      {memories.map((memory) => (
        <AnswerRow
          key={memory.id}
          memory={memory}
          reason={explanation?.results.find(({ id }) => id === memory.id)}
          isOpen={memory.id === open}
        />
      ))}
    </ol>
  );
}

type AnswerRowProps = {
  memory: ScoredMemory;
  reason: Explanation['results'][number] | undefined;
  isOpen: boolean;
};

function AnswerRow({ memory, reason, isOpen }: AnswerRowProps) {
  const { id, score, created_at, categories = [] } = memory;
  return (
    <li>
      <div class="answer">
        <a class={isOpen ? 'opened' : undefined} href={linkTo('memories', id)} dir="auto">
          {memory.memory}
        </a>
        <ScoreBar score={score} />
      </div>
      <p class="quiet about">
        <OwnerLink memory={memory} />
        {created_at !== undefined && <Ago instant={created_at} />}
        {categories.map((name) => (
          <span key={name} class="tag" dir="auto">
            {name}
          </span>
        ))}
        <button
          type="button"
          aria-label={`Why ${memory.memory}`}
          aria-expanded={isOpen}
          onClick={() => setParams({ memory_id: isOpen ? undefined : id })}
        >
          Why
        </button>
      </p>
      {isOpen && <Why memory={memory} reason={reason} />}
    </li>
  );
}
