import type { Sent } from '../../client/operations.ts';
import type { EntityOrder, EntityType } from '../../contract/schemas/entity.ts';
import type { Output } from '../../contract.ts';
import { Ago } from '../parts/ago.tsx';
import { CallAs } from '../parts/call-as.tsx';
import { Pages, pageInPlace } from '../parts/pages.tsx';
import { asOfPast } from '../parts/past.tsx';
import { linkTo, pastDay, place, setParams } from '../parts/place.ts';
import { Problem } from '../parts/problem.tsx';
import { client } from '../parts/session.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { entityKinds, isEntityType, linkToEntity, parseEntity } from './entity-kinds.ts';
import { Person } from './person.tsx';
import './people.css';

const pageSize = 50;

/** Everybody and everything that memories belong to, or one of them. */
export function People() {
  const { path } = place.value;
  const entity = parseEntity(path);
  return entity === null ? <EntityList /> : <Person key={path} entity={entity} />;
}

/** The request of the address. */
function requestOfPlace() {
  const { entity_type, query, sort } = place.value.params;
  return {
    entity_type: isEntityType(entity_type) ? entity_type : ('user' as const),
    ...(query !== undefined && { query }),
    ...(isOrder(sort) && { sort }),
    page: pageInPlace(),
    page_size: pageSize,
    ...asOfPast(),
  };
}

const columns = [
  ['name', 'Name'],
  ['total_memories', 'Memories'],
  ['created_at', 'First added'],
  ['updated_at', 'Last added'],
] as const satisfies readonly (readonly [EntityOrder, string])[];

/** In the past, only these orders are available without counting everything. */
function isOrder(text: string | undefined): text is EntityOrder {
  const isColumn = columns.some(([order]) => order === text);
  return isColumn && (pastDay.value === null || text === 'name' || text === 'created_at');
}

async function readPage(input: Sent<'list_entities'>) {
  const { entity_type: _, page: _p, sort: _s, ...filters } = input;
  const [page, counts] = await Promise.all([
    client.listEntities(input),
    client.listEntities({ ...filters, page_size: 1 }), // of all kinds
  ]);
  return { ...page, counts };
}

function EntityList() {
  const request = requestOfPlace();
  const key = JSON.stringify(request);
  const { value, problem, reload } = useLoaded(() => readPage(request), key);
  const { entity_type, query } = request;
  return (
    <div class="page people">
      <Kinds chosen={entity_type} counts={value?.counts ?? null} />
      <Search key={query} query={query} />
      <Problem problem={problem} reload={reload} />
      {value === null && !problem && <p>Loading…</p>}
      {value !== null && value.total === 0 && <Nobody entity_type={entity_type} query={query} />}
      {value !== null && value.total > 0 && <Listed page={value} />}
      <CallAs operation="list_entities" input={request} />
    </div>
  );
}

type KindsProps = { chosen: EntityType; counts: Output<'list_entities'> | null };

function Kinds({ chosen, counts }: KindsProps) {
  const { query, sort } = place.value.params;
  return (
    <nav class="tabs" aria-label="Kinds">
      {Object.entries(entityKinds).map(([type, [, several]]) => (
        <a
          key={type}
          href={linkTo('people', '', { entity_type: type, query, sort })}
          aria-current={type === chosen ? 'page' : undefined}
        >
          {several}{' '}
          <span class="quiet count">
            {counts?.[`total_${type as EntityType}s`].toLocaleString('en')}
          </span>
        </a>
      ))}
    </nav>
  );
}

function Search({ query = '' }: { query?: string | undefined }) {
  const search = (text: string) => setParams({ query: text || undefined, page: undefined });
  return (
    <form
      class="search"
      onSubmit={(event) => {
        event.preventDefault();
        search(String(new FormData(event.currentTarget).get('query')).trim());
      }}
    >
      <input
        type="search"
        name="query"
        aria-label="Part of a name or id"
        placeholder="Part of a name or id  ( / )"
        maxLength={255}
        dir="auto"
        defaultValue={query}
        onInput={({ currentTarget }) => {
          if (currentTarget.value === '' && query !== '') search('');
        }}
      />
      <button type="submit">Search</button>
    </form>
  );
}

function Nobody({ entity_type, query }: { entity_type: EntityType; query?: string | undefined }) {
  const [singular, plural] = entityKinds[entity_type];
  if (query !== undefined) {
    return (
      <p class="empty">
        No {singular} has “<bdi>{query}</bdi>” in its name or id. Search for less of it, or look at
        another kind.
      </p>
    );
  }
  if (pastDay.value !== null) return <p class="empty">There were none yet on that day.</p>;
  return (
    <div class="empty">
      <h2>No {plural.toLowerCase()} yet</h2>
      <p>
        The first memory that is stored with a <code>{entity_type}_id</code> brings one here.
      </p>
    </div>
  );
}

function Listed({ page: { results, total } }: { page: Output<'list_entities'> }) {
  const isPast = pastDay.value !== null;
  const visibleColumns = columns.filter(([order]) => !(isPast && order === 'updated_at'));
  return (
    <>
      <table>
        <caption class="hidden">Their memories, and when these were added</caption>
        <thead>
          <tr>
            {visibleColumns.map(([order, name]) => (
              <Heading key={order} order={order} name={name} />
            ))}
          </tr>
        </thead>
        <tbody>
          {results.map((entity) => (
            <Row key={entity.id} entity={entity} isPast={isPast} />
          ))}
        </tbody>
      </table>
      <Pages total={total} page_size={pageSize} words={['Previous', 'Next']} />
    </>
  );
}

type EntityRowProps = { entity: Output<'list_entities'>['results'][number]; isPast: boolean };

function Row({ entity, isPast }: EntityRowProps) {
  const { id, type, name, total_memories, created_at, updated_at } = entity;
  return (
    <tr>
      <th scope="row" class="grow">
        <a href={linkToEntity({ entity_type: type, entity_id: id })}>
          <bdi>{name}</bdi>
        </a>
        {name !== id && <bdi class="id quiet">{id}</bdi>}
      </th>
      <td>{total_memories.toLocaleString('en')}</td>
      <td class="wide">
        <Ago instant={created_at} />
      </td>
      {!isPast && (
        <td>
          <Ago instant={updated_at} />
        </td>
      )}
    </tr>
  );
}

/** A column, by which the list can be sorted: names from A, the others from the newest or most. */
function Heading({ order, name }: { order: EntityOrder; name: string }) {
  const { sort = 'created_at' } = requestOfPlace();
  const canSort = isOrder(order);
  const isSorted = sort === order;
  const direction = order === 'name' ? 'ascending' : 'descending';
  return (
    <th
      scope="col"
      class={order === 'created_at' ? 'wide' : undefined}
      aria-sort={isSorted ? direction : undefined}
    >
      {canSort ? (
        <button
          type="button"
          class="sort"
          onClick={() => setParams({ sort: order, page: undefined })}
        >
          {name}
          <span aria-hidden="true">{isSorted && (order === 'name' ? ' ↑' : ' ↓')}</span>
        </button>
      ) : (
        name
      )}
    </th>
  );
}
