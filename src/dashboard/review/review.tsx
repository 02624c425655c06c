import { useState } from 'preact/hooks';
import type { ListReviewsOutput, ReviewMemoryInput } from '../../client.ts';
import { CallAs } from '../parts/call-as.tsx';
import { messageOf } from '../parts/message-of.ts';
import { linkTo } from '../parts/place.ts';
import { client, viewer } from '../parts/session.ts';
import { useLoaded } from '../parts/use-loaded.ts';

type ListedReview = ListReviewsOutput['results'][number];
type ReviewDecision = ReviewMemoryInput['decision'];

const reasons = {
  source: 'comes from a source that is not trusted enough',
  flagged: 'reads like orders to an agent',
  unsure: 'extraction is not sure of it',
  all: 'this project reviews all that is added',
};
const request = { page_size: 50 };

/** What waits for a decision: it is not recalled until somebody accepts it. */
export function Review() {
  const { value, problem, reload } = useLoaded(async () => client.listReviews(request), '');
  if (value === null) return <p class="page">{problem || 'Loading…'}</p>;
  const { results, total } = value;
  return (
    <div class="page">
      {problem && <p role="alert">{problem}</p>}
      <p class="quiet" role="status">
        {total.toLocaleString('en')} {total === 1 ? 'memory waits' : 'memories wait'}
        {total > results.length && `; the newest ${results.length} are shown`}
      </p>
      {total === 0 && <NothingWaits />}
      <ul class="cards" aria-label="Waiting memories">
        {results.map((memory) => (
          <Card key={memory.id} memory={memory} onDecided={() => void reload()} />
        ))}
      </ul>
      <CallAs operation="list_reviews" input={request} />
    </div>
  );
}

function NothingWaits() {
  return (
    <div class="empty">
      <h2>Nothing waits for you</h2>
      <p>
        A project decides what does: what extraction is not sure of, all that is added, sources that
        are not trusted, or texts that read like orders to an agent. By default nothing waits.
      </p>
      <p>
        <a href={linkTo('settings', 'trust')}>Decide what waits</a>
      </p>
    </div>
  );
}

function Card({ memory, onDecided }: { memory: ListedReview; onDecided: () => void }) {
  const [text, setText] = useState<string | null>(null);
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const decide = async (decision: ReviewDecision) => {
    setBusy(true);
    const edited = text === null || text === memory.memory ? {} : { text };
    try {
      await client.reviewMemory({ memory_id: memory.id, decision, ...edited });
      onDecided();
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  const { user_id, agent_id, app_id, run_id, source_class, review_reason, supersedes } = memory;
  return (
    <li class="card">
      {supersedes !== null && <del dir="auto">{supersedes.memory}</del>}
      {text === null ? (
        <p class="memory" dir="auto">
          {memory.memory}
        </p>
      ) : (
        <textarea
          aria-label="Text of the memory"
          rows={3}
          dir="auto"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      )}
      <p class="quiet">
        {user_id ?? agent_id ?? app_id ?? run_id} · from: {source_class}
        {review_reason !== null && ` · ${reasons[review_reason]}`}
      </p>
      {problem && <p role="alert">{problem}</p>}
      {viewer.value?.mayWrite === true && (
        <Decisions
          busy={busy}
          onDecide={(decision) => void decide(decision)}
          onEdit={text === null ? () => setText(memory.memory) : null}
        />
      )}
    </li>
  );
}

type DecisionsProps = {
  busy: boolean;
  onDecide: (decision: ReviewDecision) => void;
  /** Null while it is edited. */
  onEdit: (() => void) | null;
};

function Decisions({ busy, onDecide, onEdit }: DecisionsProps) {
  return (
    <div class="bar">
      <button type="button" class="primary" disabled={busy} onClick={() => onDecide('accept')}>
        Accept
      </button>
      {onEdit !== null && (
        <button type="button" onClick={onEdit}>
          Edit
        </button>
      )}
      <button type="button" disabled={busy} onClick={() => onDecide('decline')}>
        Decline
      </button>
      <button
        type="button"
        class="danger"
        disabled={busy}
        title="Declines it, and never stores the like again in this project"
        onClick={() => onDecide('never')}
      >
        Never again
      </button>
    </div>
  );
}
