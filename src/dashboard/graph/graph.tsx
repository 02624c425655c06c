import { useMemo, useState } from 'preact/hooks';
import type { Sent } from '../../client/operations.ts';
import type { Output } from '../../contract.ts';
import { EntityInput } from '../owners/entity-input.tsx';
import { CallAs } from '../parts/call-as.tsx';
import { goTo, linkTo, pastDay, place } from '../parts/place.ts';
import { Problem } from '../parts/problem.tsx';
import { client, viewer } from '../parts/session.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import {
  type Edge,
  keyOf,
  type NamedEntity,
  type Network,
  networkOf,
  relationWords,
  touches,
} from './network.ts';
import { drawnMax, Picture } from './picture.tsx';

const shownMax = 400;
const listedMax = 100;

/** Shows the entities that memories name, their relations, and the memory behind each relation. */
export function Graph() {
  const { user_id = '' } = place.value.params;
  const entity = place.value.path === '' ? null : place.value.path;
  const input: Sent<'list_relations'> = { limit: shownMax, ...(user_id !== '' && { user_id }) };
  const key = JSON.stringify([input, entity, pastDay.value]);
  const { value, problem, reload } = useLoaded(() => readRelations(input, entity), key);
  const network = useMemo(() => networkOf(value?.results ?? []), [value]);
  const [edge, setEdge] = useState<Edge | null>(null);
  const choose = (name: string | null) => {
    setEdge(null);
    goTo('graph', name ?? '', { user_id });
  };
  const newest = useMemo(() => networkOf(value?.newest ?? []), [value]);
  if (value === null && !problem) return <p class="page">Loading…</p>;
  const center = network.entities.some(({ name }) => name === entity) ? entity : null;
  const picture = { network, newest, edge, entity: center, onEntity: choose, onEdge: setEdge };
  const isEmpty = value !== null && network.edges.length === 0 && !user_id && entity === null;
  return (
    <div class="page">
      <Problem problem={problem} reload={reload} />
      {isEmpty ? (
        <NoRelations />
      ) : (
        <>
          <UserForm key={user_id} user_id={user_id} />
          <Shown network={network} has_more={value?.has_more === true} />
          <div class="graph-columns">
            {network.edges.length > 0 && <Picture {...picture} />}
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

type ShownProps = { network: Network; has_more: boolean };

/** Says how much of the graph is shown: a large project does not fit into one picture. */
function Shown({ network: { entities, edges }, has_more }: ShownProps) {
  return (
    <p class="quiet" role="status">
      {entities.length.toLocaleString('en')} entities, {edges.length.toLocaleString('en')} relations
      {entities.length > drawnMax && `; the ${drawnMax} with the most are drawn`}
      {has_more && ', of the newest memories; an entity or a user shows older ones'}
    </p>
  );
}

/** Reads the newest relations and all of the entity; in the past, those of newest memories. */
async function readRelations(
  input: Sent<'list_relations'>,
  entity: string | null,
): Promise<Output<'list_relations'> & { newest: Output<'list_relations'>['results'] }> {
  const day = pastDay.value;
  const page = await (day === null ? client.listRelations(input) : readPast(day, input.user_id));
  const newest = page.results;
  if (entity === null || day !== null) return { ...page, newest };
  const { results } = await client.listRelations({ ...input, entity });
  return { ...page, newest, results: [...newest, ...results] };
}

async function readPast(as_of: string, user_id?: string): Promise<Output<'list_relations'>> {
  const input = { as_of, enable_graph: true, page_size: 100, ...(user_id && { user_id }) };
  const { results, relations = [], total } = await client.getMemories(input);
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

function UserForm({ user_id }: { user_id: string }) {
  return (
    <form
      class="search"
      onSubmit={(event) => {
        event.preventDefault();
        const id = String(new FormData(event.currentTarget).get('user_id')).trim();
        goTo('graph', '', { user_id: id });
      }}
    >
      <span aria-hidden="true">User</span>
      <EntityInput type="user" label="User" anybody="Anybody" value={user_id} />
      <button type="submit">Show</button>
    </form>
  );
}

function Entities({ entities }: { entities: readonly NamedEntity[] }) {
  const { user_id } = place.value.params;
  return (
    <section aria-label="Entities">
      <h2>Entities</h2>
      <ul class="rows">
        {entities.slice(0, listedMax).map(({ name, type, degree }) => (
          <li key={name}>
            <a class="grow" href={linkTo('graph', name, { user_id })} dir="auto">
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
  const { user_id } = place.value.params;
  return (
    <section aria-label="Relations">
      <h2 dir="auto">{entity}</h2>
      <p>
        <a href={linkTo('graph', '', { user_id })}>All entities</a>
      </p>
      {edges.length === 0 && <p class="quiet">No memory says anything about it.</p>}
      <ul class="rows">
        {edges.map((edge) => (
          <li key={keyOf(edge)}>
            <span class="grow" dir="auto">
              <End name={edge.source} entity={entity} />{' '}
              <span class="quiet">— {relationWords(edge)} →</span>{' '}
              <End name={edge.target} entity={entity} />
            </span>
            <button
              type="button"
              aria-label={`Why: ${edge.source} ${relationWords(edge)} ${edge.target}`}
              onClick={() => onEdge(edge)}
            >
              Why
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A link to the other entity of a relation. */
function End({ name, entity }: { name: string; entity: string }) {
  const { user_id } = place.value.params;
  if (name === entity) return <>{name}</>;
  return <a href={linkTo('graph', name, { user_id })}>{name}</a>;
}

function Evidence({ edge, onClose }: { edge: Edge; onClose: () => void }) {
  return (
    <section class="card" aria-label="Evidence" role="status">
      <p class="quiet" dir="auto">
        {edge.source} — {relationWords(edge)} → {edge.target}
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
