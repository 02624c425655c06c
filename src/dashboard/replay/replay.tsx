import type { Sent } from '../../client/operations.ts';
import { formatCount } from '../../contract/format-count.ts';
import type { Output } from '../../contract.ts';
import { EntityInput } from '../owners/entity-input.tsx';
import { CallAs } from '../parts/call-as.tsx';
import { Pages, pageInPlace } from '../parts/pages.tsx';
import { linkTo, type Params, place, setParams } from '../parts/place.ts';
import { Problem } from '../parts/problem.tsx';
import { client, viewer } from '../parts/session.ts';
import { minuteOf } from '../parts/times.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Replayed } from './replayed.tsx';

const shownMax = 50;

/** Past recalls, and what they would answer now. */
export function Replay() {
  const { path } = place.value;
  if (path !== '') return <Replayed key={path} recall_id={path} />;
  return <Recalls />;
}

/** What the address asks for. */
function requestOf({ user_id, operation = '' }: Params): Sent<'list_recalls'> {
  const name = operations.find((one) => one === operation);
  return {
    ...(user_id && { user_id }),
    ...(name && { operation: name }),
    page: pageInPlace(),
    page_size: shownMax,
  };
}

function Recalls() {
  const input = requestOf(place.value.params);
  const { value, problem, reload } = useLoaded(
    async () => client.listRecalls(input),
    JSON.stringify(input),
  );
  const isFiltered = input.user_id !== undefined || input.operation !== undefined;
  const isEmpty = value?.total === 0 && !isFiltered;
  return (
    <div class="page">
      <Problem problem={problem} reload={reload} />
      {!isEmpty && <RecallFilters key={JSON.stringify(input)} input={input} />}
      {value === null && !problem && <p>Loading…</p>}
      {value !== null && (isEmpty ? <NothingKept /> : <Listed {...{ value, reload }} />)}
      <CallAs operation="list_recalls" input={input} />
    </div>
  );
}

type ListedProps = { value: Output<'list_recalls'>; reload: () => Promise<void> };

function Listed({ value, reload }: ListedProps) {
  const { results, total } = value;
  return (
    <>
      <p class="quiet" role="status">
        {formatCount(total, 'recall', 'recalls')}{' '}
        <button type="button" onClick={() => void reload()}>
          Look again
        </button>
      </p>
      {results.length === 0 && <p class="empty">No recall of the kind is kept.</p>}
      <ol class="rows card" aria-label="Recalls" hidden={results.length === 0}>
        {results.map((recall) => (
          <RecallRow key={recall.id} recall={recall} />
        ))}
      </ol>
      <Pages {...value} />
    </>
  );
}

function RecallFilters({ input: { user_id, operation } }: { input: Sent<'list_recalls'> }) {
  return (
    <form
      class="search"
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        const [user, kind] = ['user_id', 'operation'].map((name) => String(data.get(name)).trim());
        setParams({ user_id: user, operation: kind, page: undefined });
      }}
    >
      <div class="labelled">
        User
        <EntityInput type="user" label="User" anybody="Anybody" value={user_id} />
      </div>
      <label class="labelled">
        Kind
        <select name="operation">
          <option value="">Searches and contexts</option>
          {operations.map((name) => (
            <option key={name} value={name} selected={name === operation}>
              {operationWords[name]}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">Show</button>
    </form>
  );
}

const operations = ['search_memories', 'get_context'] as const;
const operationWords = { search_memories: 'Searches', get_context: 'Contexts' };

type KeptRecall = Output<'list_recalls'>['results'][number];

function RecallRow({ recall }: { recall: KeptRecall }) {
  const { id, operation, query, user_id, created_at, total, tokens } = recall;
  const count = formatCount(total, 'memory', 'memories');
  return (
    <li>
      <span class="grow">
        <span class="tag">{operation === 'get_context' ? 'context' : 'search'}</span>
        <span dir="auto">
          {query ?? (recall.query_hash === null ? 'no question' : 'its question was not kept')}
        </span>
        <span class="quiet line">
          {minuteOf(created_at)}
          {user_id !== null && ` · ${user_id}`} · {count}, {tokens.toLocaleString('en')} tokens
        </span>
      </span>
      {recall.query_hash === null ? (
        <a class="button" href={linkTo('replay', id)} aria-label={`Replay ${query ?? id}`}>
          Replay
        </a>
      ) : (
        <span class="quiet">can't be replayed: the project keeps only a hash of questions</span>
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
