import type { Event } from '../../contract/schemas/event.ts';
import { Ago } from '../parts/ago.tsx';
import { linkTo } from '../parts/place.ts';
import type { HomeValue } from './home-value.ts';

const shownMax = 8;

/** Lists the last questions, and those that found nothing. */
export function Asked({ searches, recalls }: HomeValue) {
  return (
    <div>
      <section aria-label="Recent questions">
        <h2>Recent questions</h2>
        {searches.length === 0 && <p class="quiet">Nothing was searched for yet.</p>}
        <ol class="results">
          {searches.map(({ id, payload, created_at }) => (
            <li key={id}>
              <Question query={textOf(payload.query)} user_id={userOf(payload)} />
              <Ago instant={created_at} />
            </li>
          ))}
        </ol>
      </section>
      <section aria-label="Found nothing">
        <h2>Found nothing</h2>
        <FoundNothing recalls={recalls} />
      </section>
    </div>
  );
}

/** Events do not keep how much a search found; recalls do. */
function FoundNothing({ recalls }: Pick<HomeValue, 'recalls'>) {
  if (recalls.length === 0) {
    return (
      <p class="quiet">
        Not known: no recalls are kept. <a href={linkTo('settings', 'trust')}>Settings</a> can keep
        them.
      </p>
    );
  }
  const empty = recalls.filter(({ total }) => total === 0);
  if (empty.length === 0) {
    return <p class="quiet">Each of the last {recalls.length} questions found something.</p>;
  }
  return (
    <>
      <p class="quiet">
        {empty.length} of the last {recalls.length} questions. Ask again, or add what is missing.
      </p>
      <ol class="results">
        {empty.slice(0, shownMax).map(({ id, query, user_id, created_at }) => (
          <li key={id}>
            <Question query={query ?? ''} user_id={user_id ?? undefined} />
            <Ago instant={created_at} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** A question leads to the page that asks it again. */
function Question({ query, user_id }: { query: string; user_id: string | undefined }) {
  if (query === '') return <span class="quiet">The question is not kept.</span>;
  return (
    <span class="what" dir="auto">
      <a href={linkTo('ask', '', { query, user_id })}>{query}</a>
      {user_id !== undefined && <span class="quiet"> · {user_id}</span>}
    </span>
  );
}

/** The user that a search asked about: from a field, or from a condition of its filter. */
function userOf({ user_id, filters }: Event['payload']): string | undefined {
  const user = user_id ?? (filters as { user_id?: unknown } | undefined)?.user_id;
  return textOf(user) || undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
