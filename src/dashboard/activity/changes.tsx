import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { HistoryEntry } from '../../contract/schemas/change.ts';
import type { Output } from '../../contract.ts';
import { changeWords } from '../changes/change-words.ts';
import { Difference } from '../changes/difference.tsx';
import { OwnerFilter, ownerScopeInPlace } from '../owners/owner-filter.tsx';
import { Ago } from '../parts/ago.tsx';
import { CallAs } from '../parts/call-as.tsx';
import { messageOf } from '../parts/message-of.ts';
import { linkTo } from '../parts/place.ts';
import { Problem } from '../parts/problem.tsx';
import { client } from '../parts/session.ts';
import { useLiveChanges } from '../parts/use-live-changes.ts';

type StreamedChange = Output<'list_changes'>['results'][number];

const everyMs = 5_000;
/** At most this many are shown; the timeline has all of them. */
const shownMax = 200;

/** Changes of memories as they come, the newest first. */
export function Changes() {
  const scope = ownerScopeInPlace();
  const { changes, problem, more, isLive } = useFollowed(scope);
  return (
    <>
      <div class="bar">
        <OwnerFilter />
        <span class={`tag ${isLive ? 'good' : ''}`} role="status">
          {isLive ? 'live' : 'checks every 5 seconds'}
        </span>
      </div>
      <Problem problem={problem} reload={more} />
      {changes === null && !problem && <p>Loading…</p>}
      {changes?.length === 0 && (
        <p class="empty">Nothing has changed yet. New changes appear here by themselves.</p>
      )}
      <ol class="history day" aria-label="Changes">
        {changes?.map((change) => (
          <ChangeRow key={change.id} change={change} />
        ))}
      </ol>
      <CallAs operation="list_changes" input={{ after: 'now', ...scope }} />
    </>
  );
}

function ChangeRow({ change }: { change: StreamedChange }) {
  const { event, memory_id, old_memory, memory, recorded_at } = change;
  const owners = [change.user_id, change.agent_id, change.app_id, change.run_id];
  return (
    <li>
      <span class="tag">{changeWords[event]}</span>
      <a href={linkTo('memories', memory_id)}>memory</a> <Ago instant={recorded_at} />{' '}
      <span class="quiet" dir="auto">
        {owners.filter((owner) => owner !== null).join(' · ')}
      </span>
      {old_memory !== null && old_memory === memory && (
        <span class="quiet"> only other fields than the text</span>
      )}
      <Difference before={old_memory} after={memory} />
    </li>
  );
}

type FollowedScope = ReturnType<typeof ownerScopeInPlace>;
type Followed = { key: string; cursor: string; changes: StreamedChange[] };

/** Reads the last changes, and then each new one as it comes. */
function useFollowed(scope: FollowedScope) {
  const key = JSON.stringify(scope);
  const newest = useRef<Followed | null>(null);
  const queue = useRef<Promise<void>>(Promise.resolve());
  const [state, setState] = useState<Followed | null>(null);
  const [problem, setProblem] = useState('');
  const more = useCallback(() => {
    // Requests run one after the other, so that no change is requested twice.
    queue.current = queue.current.then(async () => {
      try {
        const feed = newest.current?.key === key ? newest.current : null;
        newest.current = feed === null ? await begin(scope, key) : await goOn(feed, scope);
        setState(newest.current);
        setProblem('');
      } catch (error) {
        newest.current = null; // a cursor may be too old
        setProblem(messageOf(error));
      }
    });
    return queue.current;
  }, [key]);
  const isLive = useLiveChanges(more);
  useEffect(() => {
    void more(); // also when the stream begins or ends, as something may have come meanwhile
    if (isLive) return undefined;
    const timer = setInterval(() => void more(), everyMs);
    return () => clearInterval(timer);
  }, [more, isLive]);
  return { changes: state?.key === key ? state.changes : null, problem, more, isLive };
}

/** Reads the cursor first: a change that comes in between is in both answers, and shown once. */
async function begin(scope: FollowedScope, key: string): Promise<Followed> {
  const { cursor } = await client.listChanges({ after: 'now', ...scope });
  const { results } = await client.listHistory({ page_size: 50, ...scope });
  return { key, cursor, changes: results.map(toChange) };
}

async function goOn({ key, cursor, changes }: Followed, scope: FollowedScope): Promise<Followed> {
  const page = await client.listChanges({ after: cursor, ...scope });
  const ids = new Set(changes.map(({ id }) => id));
  const fresh = page.results.filter(({ id }) => !ids.has(id)).toReversed();
  const next = { key, cursor: page.cursor, changes: [...fresh, ...changes].slice(0, shownMax) };
  return page.has_more ? goOn(next, scope) : next;
}

function toChange({ new_memory, updated_at, ...entry }: HistoryEntry): StreamedChange {
  return { ...entry, memory: new_memory, recorded_at: updated_at, cursor: '' };
}
