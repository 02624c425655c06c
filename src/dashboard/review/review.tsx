import { formatCount } from '../../contract/format-count.ts';
import './review.css';
import type { Sent } from '../../client/operations.ts';
import { useKeys } from '../keyboard/use-keys.ts';
import { CallAs } from '../parts/call-as.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Pages } from '../parts/pages.tsx';
import { linkTo, pastDay, place } from '../parts/place.ts';
import { Problem } from '../parts/problem.tsx';
import { viewer } from '../parts/session.ts';
import { useAction } from '../parts/use-action.ts';
import { Card, reasonWords } from './card.tsx';
import { acceptAll, acceptAsMeant, isFlagged, takeBackReviews } from './decide.ts';
import { type ReviewState, useReview } from './use-review.ts';

/** Lists memories that wait for a decision; none is recalled until somebody accepts it. */
export function Review() {
  const state = useReview();
  const { value, problem, reload, request } = state;
  const mayDecide = viewer.value?.mayWrite === true && pastDay.value === null;
  useKeys(keysOf(state, mayDecide));
  return (
    <div class="page">
      <Reasons request={request} counts={value?.counts} />
      <Problem problem={problem} reload={reload} />
      {value === null && !problem && <p>Loading…</p>}
      {value !== null && <Waiting state={state} mayDecide={mayDecide} />}
      <CallAs operation="list_reviews" input={request} />
    </div>
  );
}

function keysOf(state: ReviewState, mayDecide: boolean) {
  const { at, results, move, edit, decide } = state;
  const moves = { j: () => move(at + 1), k: () => move(at === -1 ? 0 : at - 1) };
  const memory = results[at];
  if (!mayDecide || memory === undefined) return moves;
  return {
    ...moves,
    a: () => void decide(memory, acceptAsMeant(memory)),
    d: () => void decide(memory, { decision: 'decline' }),
    n: () => void decide(memory, { decision: 'never' }),
    e: () => edit(memory.id),
  };
}

const shortReasons: Record<keyof typeof reasonWords, string> = {
  ...reasonWords,
  all: 'Project rule',
};

type ReasonsProps = { request: Sent<'list_reviews'>; counts: Record<string, number> | undefined };

function Reasons({ request: { review_reason, user_id }, counts }: ReasonsProps) {
  const all = [['', 'All'], ...Object.entries(shortReasons)] as const;
  return (
    <>
      <nav class="tabs" aria-label="Reasons">
        {all.map(([reason = '', words]) => (
          <a
            key={reason}
            href={linkTo('review', '', { user_id, review_reason: reason })}
            aria-current={reason === (review_reason ?? '') ? 'page' : undefined}
          >
            {words}
            {counts !== undefined && <span class="count"> {counts[reason] ?? 0}</span>}
          </a>
        ))}
      </nav>
      {user_id !== undefined && (
        <p class="quiet">
          Only those of <span dir="auto">{user_id}</span>.{' '}
          <a href={linkTo('review', '', { review_reason })}>Show everybody's</a>
        </p>
      )}
    </>
  );
}

type WaitingProps = { state: ReviewState; mayDecide: boolean };

function Waiting({ state, mayDecide }: WaitingProps) {
  const { value, results, current, editedId, busy, failure } = state;
  const total = value?.total ?? 0;
  const counts = countAlike(results);
  return (
    <>
      <p class="quiet" role="status" tabIndex={-1} data-after-review>
        {formatCount(total, 'memory', 'memories')} to review
        {total > results.length && `, ${results.length} shown`}
      </p>
      {mayDecide && <Last state={state} />}
      {total === 0 && <NothingWaits />}
      {mayDecide && <AcceptAll state={state} />}
      <ul class="cards" aria-label="Memories to review">
        {results.map((memory) => (
          <Card
            key={memory.id}
            memory={memory}
            others={(memory.may_replace ?? []).map((id) => ({
              id,
              memory: value?.texts.get(id) ?? id,
            }))}
            alike={counts.get(likenessOf(memory)) ?? 1}
            isCurrent={memory.id === current}
            isEditing={memory.id === editedId}
            busy={busy}
            problem={failure.id === memory.id ? failure.problem : ''}
            mayDecide={mayDecide}
            onEdit={(isEditing) => state.edit(isEditing ? memory.id : null)}
            onDecide={(choice) => void state.decide(memory, choice)}
          />
        ))}
      </ul>
      {value !== null && <Pages {...value} />}
    </>
  );
}

type Shown = ReviewState['results'][number];

function likenessOf({ hash, user_id, agent_id, app_id, run_id }: Shown): string {
  return JSON.stringify([hash, user_id, agent_id, app_id, run_id]);
}

function countAlike(results: readonly Shown[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const memory of results) {
    const key = likenessOf(memory);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Offers an undo until the next decision, or until it is dismissed. */
function Last({ state: { lastDecision, setLastDecision, reload } }: { state: ReviewState }) {
  const { busy, problem, run } = useAction();
  if (lastDecision === null) return null;
  const undo = async () => {
    await takeBackReviews(lastDecision);
    setLastDecision(null);
    await reload();
  };
  return (
    <div class="bulk bar">
      <span class="last" role="status" dir="auto">
        {lastDecision.words}
      </span>
      <button type="button" disabled={busy} onClick={() => run(undo)}>
        Undo
      </button>
      <button type="button" onClick={() => setLastDecision(null)}>
        Dismiss
      </button>
      {problem && <p role="alert">{problem}</p>}
    </div>
  );
}

const listedMax = 8;

/** Accepts all memories but the flagged ones: possible injections are decided one by one. */
function AcceptAll({ state: { results, setLastDecision, reload } }: { state: ReviewState }) {
  const { problem, run } = useAction();
  const memories = results.filter((memory) => !isFlagged(memory));
  const flaggedCount = results.length - memories.length;
  if (memories.length < 2) return null;
  const count = memories.length;
  const accept = async () => {
    const { decision, refusals } = await acceptAll(memories);
    if (decision.reviews.length > 0) setLastDecision(decision);
    await reload();
    run(async () => {
      if (refusals.length > 0) throw new Error(`${refusals.length} not accepted: ${refusals[0]}`);
    });
  };
  return (
    <div class="bar">
      <Confirm
        label={flaggedCount > 0 ? `Accept the ${count} not flagged` : 'Accept all shown'}
        title={`Accept ${count} memories?`}
        confirm="Accept them"
        keep="Cancel"
        danger={false}
        onConfirm={accept}
      >
        <ul class="preview">
          {memories.slice(0, listedMax).map(({ id, memory }) => (
            <li key={id} dir="auto">
              {memory}
            </li>
          ))}
          {count > listedMax && <li>and {count - listedMax} more</li>}
        </ul>
        <p class="quiet">
          Each is recalled from now on; one that was meant to replace another does. Undo puts them
          back here.
        </p>
        {flaggedCount > 0 && (
          <p>{formatCount(flaggedCount, 'flagged memory is', 'flagged memories are')} left out.</p>
        )}
      </Confirm>
      {problem && <p role="alert">{problem}</p>}
    </div>
  );
}

function NothingWaits() {
  const { review_reason, user_id } = place.value.params;
  if (review_reason !== undefined || user_id !== undefined) {
    return (
      <p class="empty">
        Nothing to review here. <a href={linkTo('review')}>Show all</a>
      </p>
    );
  }
  return (
    <div class="empty">
      <h2>Nothing to review</h2>
      <p>
        A project decides what is reviewed: what comes from an untrusted source, what looks like
        instructions to an agent, what was extracted with low confidence, or every new memory. By
        default nothing is.
      </p>
      {viewer.value?.mayWrite === true && (
        <p>
          <a href={linkTo('settings', 'trust')}>Choose what is reviewed</a>
        </p>
      )}
    </div>
  );
}
