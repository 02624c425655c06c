import type { ListRecallsOutput } from '../../client.ts';
import { CallAs } from '../parts/call-as.tsx';
import { linkTo, place } from '../parts/place.ts';
import { client, viewer } from '../parts/session.ts';
import { minuteOf } from '../parts/times.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Replayed } from './replayed.tsx';

const input = { page_size: 50 };

/** Past recalls, and what they would answer now. */
export function Replay() {
  const { rest } = place.value;
  if (rest !== '') return <Replayed key={rest} recall_id={rest} />;
  return <Recalls />;
}

function Recalls() {
  const { value, problem, reload } = useLoaded(async () => client.listRecalls(input), '');
  if (value === null) return <p class="page">{problem || 'Loading…'}</p>;
  const { results, total } = value;
  return (
    <div class="page">
      {problem && <p role="alert">{problem}</p>}
      {total === 0 ? (
        <NothingKept />
      ) : (
        <>
          <p class="quiet" role="status">
            {total.toLocaleString('en')} recalls
            {total > results.length && `, the newest ${results.length} are shown`}{' '}
            <button type="button" onClick={() => void reload()}>
              Look again
            </button>
          </p>
          <ol class="rows card" aria-label="Recalls">
            {results.map((recall) => (
              <RecallRow key={recall.id} recall={recall} />
            ))}
          </ol>
        </>
      )}
      <CallAs operation="list_recalls" input={input} />
    </div>
  );
}

type KeptRecall = ListRecallsOutput['results'][number];

function RecallRow({ recall }: { recall: KeptRecall }) {
  const { id, operation, query, user_id, created_at, total, tokens } = recall;
  const count = total === 1 ? '1 memory' : `${total} memories`;
  return (
    <li>
      <span class="grow">
        <span class="tag">{operation === 'get_context' ? 'context' : 'search'}</span>
        <span dir="auto">{query ?? 'its question was not kept'}</span>
        <span class="quiet line">
          {minuteOf(created_at)}
          {user_id !== null && ` · ${user_id}`} · {count}, {tokens.toLocaleString('en')} tokens
        </span>
      </span>
      {recall.query_hash === null && (
        <a class="button" href={linkTo('replay', id)} aria-label={`Replay ${query ?? id}`}>
          Replay
        </a>
      )}
    </li>
  );
}

function NothingKept() {
  return (
    <div class="empty">
      <h2>No recalls are kept yet</h2>
      <p>
        If the project keeps what was asked, each answer can be put again later: what was known
        then, what is known now, and why the two differ.
      </p>
      {viewer.value?.mayWrite === true && (
        <p>
          <a href={linkTo('settings', 'trust')}>Keep recalls</a>, and the next ones stand here.
        </p>
      )}
    </div>
  );
}
