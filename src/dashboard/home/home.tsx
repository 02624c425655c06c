import type { HistoryEntry } from '../../client.ts';
import { changeWords } from '../parts/change-words.ts';
import { client, viewer } from '../parts/session.ts';
import { minuteOf, shownDay, today } from '../parts/times.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Growth } from './growth.tsx';

const newestMax = 200;

/** How much is remembered, what was learned today and recalled last, and what waits. */
export function Home() {
  const { value, problem } = useLoaded(readHome, '');
  if (value === null) return <p class="page">{problem || 'Loading…'}</p>;
  const { total, changes } = value;
  if (total === 0 && changes.length === 0) return <FirstSteps />;
  return (
    <div class="page">
      {problem && <p role="alert">{problem}</p>}
      <Figures {...value} />
      <Growth total={total} />
      <div class="columns">
        <Newest changes={changes.slice(0, 8)} />
        <Recalled {...value} />
      </div>
    </div>
  );
}

type HomeValue = Awaited<ReturnType<typeof readHome>>;

async function readHome() {
  const [memories, reviews, failures, history, entities, searches, models] = await Promise.all([
    client.getMemories({ page_size: 1 }),
    client.listReviews({ page_size: 1 }),
    client.listEvents({ status: 'FAILED', page_size: 1 }),
    client.listHistory({ page_size: newestMax }),
    client.listEntities({ page_size: 100 }),
    client.listEvents({ event_type: 'SEARCH', page_size: 8 }),
    // The machine's own figures, which only the owner of the store may read.
    viewer.value?.hasStore === true ? client.listModels({}) : null,
  ]);
  return {
    total: memories.total,
    waiting: reviews.total,
    failed: failures.total,
    changes: history.results,
    users: entities.results
      .filter(({ total_memories }) => total_memories > 0)
      .toSorted((one, other) => other.total_memories - one.total_memories)
      .slice(0, 8),
    searches: searches.results,
    modelTokens: models?.tokens_today ?? null,
  };
}

function Figures({ total, waiting, failed, changes, modelTokens }: HomeValue) {
  const learned = changes.filter(
    ({ created_at, event }) => event === 'ADD' && shownDay(created_at) === today(),
  );
  return (
    <ul class="figures" aria-label="Figures">
      <Figure value={total} name="memories" href="#memories" />
      <Figure
        value={learned.length}
        name={learned.length === newestMax ? 'or more learned today' : 'learned today'}
        href="#timeline"
      />
      <Figure value={waiting} name="wait for a review" href="#review" />
      <Figure value={failed} name="writes failed" href="#activity" />
      {modelTokens !== null && (
        <Figure value={modelTokens} name="model tokens spent today" href="#settings/models" />
      )}
    </ul>
  );
}

function Figure({ value, name, href }: { value: number; name: string; href: string }) {
  return (
    <li>
      <a class="figure" href={href}>
        <strong>{value.toLocaleString('en')}</strong> {name}
      </a>
    </li>
  );
}

function Newest({ changes }: { changes: readonly HistoryEntry[] }) {
  return (
    <section aria-label="Newest changes">
      <h2>What changed last</h2>
      <ol class="results">
        {changes.map(({ id, event, new_memory, old_memory, created_at }) => (
          <li key={id}>
            <span dir="auto">
              <span class="tag">{changeWords[event]}</span>
              {new_memory ?? old_memory}
            </span>
            <time class="quiet" dateTime={created_at}>
              {minuteOf(created_at)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Recalled({ searches, users }: HomeValue) {
  return (
    <section aria-label="Recalled">
      <h2>Asked last</h2>
      {searches.length === 0 && <p class="quiet">Nothing was searched for yet.</p>}
      <ol class="results">
        {searches.map(({ id, payload, created_at }) => (
          <li key={id}>
            <span dir="auto">{String(payload.query ?? '')}</span>
            <time class="quiet" dateTime={created_at}>
              {minuteOf(created_at)}
            </time>
          </li>
        ))}
      </ol>
      <h2>Whose memories</h2>
      <ol class="results">
        {users.map(({ id, name, type, total_memories }) => (
          <li key={`${type} ${id}`}>
            <span dir="auto">
              <span class="tag">{type}</span>
              {name}
            </span>
            <span class="score">{total_memories.toLocaleString('en')}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What to do while nothing is stored. */
export function FirstSteps() {
  return (
    <div class="empty">
      <h2>Nothing is remembered yet</h2>
      <p>Connect a client, then tell it something about you:</p>
      <pre>mneme init</pre>
      <p>Bring what another assistant or a file knows:</p>
      <pre>mneme import --help</pre>
      <p>Or store a first memory yourself:</p>
      <pre>mneme remember "I prefer window seats."</pre>
    </div>
  );
}
