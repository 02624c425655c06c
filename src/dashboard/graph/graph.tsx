import { useMemo, useState } from 'preact/hooks';
import type { ListRelationsInput, ListRelationsOutput } from '../../client.ts';
import { CallAs } from '../parts/call-as.tsx';
import { pastDay } from '../parts/past.tsx';
import { linkTo, place } from '../parts/place.ts';
import { client, viewer } from '../parts/session.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import {
  type Edge,
  keyOf,
  type NamedEntity,
  networkOf,
  relationWords,
  touches,
} from './network.ts';
import { Picture } from './picture.tsx';

const shownMax = 400;
const listedMax = 100;

/** Who and what memories are about, how these belong together, and which memory says so. */
export function Graph() {
  const [user_id, setUser] = useState('');
  const entity = place.value.rest === '' ? null : place.value.rest;
  const input: ListRelationsInput = { limit: shownMax, ...(user_id !== '' && { user_id }) };
  const asked = JSON.stringify([input, entity, pastDay.value]);
  const { value, problem } = useLoaded(() => readRelations(input, entity), asked);
  const network = useMemo(() => networkOf(value?.results ?? []), [value]);
  const [edge, setEdge] = useState<Edge | null>(null);
  const choose = (name: string | null) => {
    setEdge(null);
    location.hash = linkTo('graph', name ?? '');
  };
  if (value === null) return <p class="page">{problem || 'Loading…'}</p>;
  const known = network.entities.some(({ name }) => name === entity) ? entity : null;
  const isEmpty = network.edges.length === 0 && user_id === '' && entity === null;
  return (
    <div class="page">
      {problem && <p role="alert">{problem}</p>}
      {isEmpty ? (
        <NoRelations />
      ) : (
        <>
          <UserForm onChoose={setUser} />
          <p class="quiet" role="status">
            {network.entities.length} entities, {network.edges.length} relations
            {value.has_more && ', of the newest memories'}
          </p>
          <div class="graph-columns">
            {network.edges.length > 0 && (
              <Picture network={network} entity={known} onEntity={choose} onEdge={setEdge} />
            )}
            <div class="graph-lists">
              {edge !== null && <Evidence edge={edge} onClose={() => setEdge(null)} />}
              {entity === null ? (
                <Entities entities={network.entities} />
              ) : (
                <Neighbourhood
                  entity={entity}
                  edges={network.edges.filter((one) => touches(one, entity))}
                  onEdge={setEdge}
                />
              )}
            </div>
          </div>
        </>
      )}
      <CallAs operation="list_relations" input={entity === null ? input : { ...input, entity }} />
    </div>
  );
}

/** The newest relations and all of the chosen entity; of the past, those of its newest memories. */
async function readRelations(
  input: ListRelationsInput,
  entity: string | null,
): Promise<ListRelationsOutput> {
  if (pastDay.value !== null) return readPast(pastDay.value, input.user_id);
  const newest = await client.listRelations(input);
  if (entity === null) return newest;
  const { results } = await client.listRelations({ ...input, entity });
  return { ...newest, results: [...newest.results, ...results] };
}

async function readPast(as_of: string, user_id?: string): Promise<ListRelationsOutput> {
  const about = { as_of, enable_graph: true, page_size: 100, ...(user_id && { user_id }) };
  const { results, relations = [], total } = await client.getMemories(about);
  const texts = new Map(results.map(({ id, memory = '' }) => [id, memory]));
  const edges = relations.map((edge) => ({ ...edge, memory: texts.get(edge.memory_id) ?? '' }));
  return { results: edges, has_more: total > results.length };
}

function NoRelations() {
  return (
    <div class="empty">
      <h2>No relations are known yet</h2>
      <p>
        mneme can keep who is whose sister, who works where and who likes what, if the project asks
        for it.
      </p>
      {viewer.value?.mayWrite === true && (
        <p>
          <a href={linkTo('settings', 'extraction')}>Keep relations between entities</a>, and the
          next memories show here.
        </p>
      )}
    </div>
  );
}

function UserForm({ onChoose }: { onChoose: (user_id: string) => void }) {
  return (
    <form
      class="search"
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(String(new FormData(event.currentTarget).get('user_id')).trim());
      }}
    >
      <input type="search" name="user_id" aria-label="User" placeholder="Any user  ( / )" />
      <button type="submit">Show</button>
    </form>
  );
}

function Entities({ entities }: { entities: readonly NamedEntity[] }) {
  return (
    <section aria-label="Entities">
      <h2>Entities</h2>
      <ul class="rows">
        {entities.slice(0, listedMax).map(({ name, type, degree }) => (
          <li key={name}>
            <a class="grow" href={linkTo('graph', name)} dir="auto">
              {name}
            </a>
            <span class="tag" data-type={type}>
              {type}
            </span>
            <span class="quiet score">{degree}</span>
          </li>
        ))}
      </ul>
      {entities.length > listedMax && (
        <p class="quiet">and {entities.length - listedMax} more, with fewer relations</p>
      )}
    </section>
  );
}

type NeighbourhoodProps = {
  entity: string;
  edges: readonly Edge[];
  onEdge: (edge: Edge) => void;
};

function Neighbourhood({ entity, edges, onEdge }: NeighbourhoodProps) {
  return (
    <section aria-label="Relations">
      <h2 dir="auto">{entity}</h2>
      <p>
        <a href={linkTo('graph')}>All entities</a>
      </p>
      {edges.length === 0 && <p class="quiet">No memory says anything about it.</p>}
      <ul class="rows">
        {edges.map((edge) => {
          const other = edge.source === entity ? edge.target : edge.source;
          return (
            <li key={keyOf(edge)}>
              <button type="button" class="plain grow" onClick={() => onEdge(edge)} dir="auto">
                {edge.source} <em>{relationWords(edge)}</em> {edge.target}
              </button>
              {other !== entity && (
                <a href={linkTo('graph', other)} aria-label={`Go to ${other}`}>
                  go
                </a>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Evidence({ edge, onClose }: { edge: Edge; onClose: () => void }) {
  return (
    <section class="card" aria-label="Evidence" role="status">
      <p class="quiet" dir="auto">
        {edge.source} <em>{relationWords(edge)}</em> {edge.target}, because:
      </p>
      <p class="memory" dir="auto">
        {edge.memory}
      </p>
      <div class="bar">
        <a class="button" href={linkTo('memories', edge.memory_id)}>
          Open the memory
        </a>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </section>
  );
}
