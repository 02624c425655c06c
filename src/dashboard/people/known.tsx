import type { ComponentChildren } from 'preact';
import type { Sent } from '../../client/operations.ts';
import type { Memory, PartialMemory } from '../../contract/schemas/memory.ts';
import { dayMs, isoDayOf } from '../../contract/wall-clock.ts';
import { Ago } from '../parts/ago.tsx';
import { asOfPast } from '../parts/past.tsx';
import { linkTo, pastDay } from '../parts/place.ts';
import { Problem } from '../parts/problem.tsx';
import { client } from '../parts/session.ts';
import { eventTime, today } from '../parts/times.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { type EntityRef, linkToEntity, scopeOfEntity } from './entity-kinds.ts';

const upcomingDays = 14;
const newestMax = 8;
const listedMax = 50;
/** An address stays short; a question as long as this finds what it is about. */
const askedMax = 300;
/** As many as one page holds, so that one request tells the sources. */
const talliedMax = 1000;

/** What is known of somebody: each part is read by itself, as a profile may ask a model. */
export function Known({ entity }: { entity: EntityRef }) {
  const scope = scopeOfEntity(entity);
  return (
    <div class="columns">
      <div>
        <MemoryList title="Pinned and standing instructions" request={{ ...scope, ...always }} />
        <Profile entity={entity} />
      </div>
      <div>
        <MemoryList title="Next two weeks" request={{ ...scope, ...upcoming() }} byEvent />
        <MemoryList title="Newest memories" request={{ ...scope, page_size: newestMax }} />
        <Sources entity={entity} />
      </div>
    </div>
  );
}

const always = {
  filters: { OR: [{ pinned: true }, { type: 'instruction' }] },
  page_size: listedMax,
} satisfies Sent<'get_memories'>;

/** From the day that is shown. */
function upcoming(): Sent<'get_memories'> {
  const from = pastDay.value ?? today();
  const until = isoDayOf(new Date(Date.parse(from) + upcomingDays * dayMs).toISOString());
  return { filters: { occurred_at: { gte: from, lte: until } }, page_size: listedMax };
}

type MemoryListProps = { title: string; request: Sent<'get_memories'>; byEvent?: boolean };

/** Some of their memories; nothing at all where there is none. */
function MemoryList({ title, request, byEvent = false }: MemoryListProps) {
  const input = { ...request, ...asOfPast() };
  const read = async () => client.getMemories(input);
  const { value, problem, reload } = useLoaded(read, JSON.stringify(input));
  if (value !== null && value.total === 0 && !problem) return null;
  const items = (value?.results ?? []) as Memory[]; // no `fields` were asked for, so all are there
  const memories = byEvent ? items.toSorted(byOccurrence) : items;
  const more = (value?.total ?? 0) - memories.length;
  return (
    <Part title={title} isLoading={value === null} problem={problem} reload={reload}>
      <ul class="results">
        {memories.map(({ id, memory, created_at, occurred_at, occurred_granularity }) => (
          <li key={id}>
            <a class="said" href={linkTo('memories', id)} dir="auto">
              {memory}
            </a>
            {byEvent && occurred_at !== null ? (
              <span class="quiet time">{eventTime(occurred_at, occurred_granularity)}</span>
            ) : (
              <Ago instant={created_at} />
            )}
          </li>
        ))}
      </ul>
      {more > 0 && <p class="quiet">and {more.toLocaleString('en')} more</p>}
    </Part>
  );
}

function byOccurrence(one: Memory, other: Memory): number {
  return (one.occurred_at ?? '') < (other.occurred_at ?? '') ? -1 : 1;
}

type PartProps = {
  title: string;
  isLoading: boolean;
  problem: string;
  reload: () => Promise<void>;
  children: ComponentChildren;
};

function Part({ title, isLoading, problem, reload, children }: PartProps) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <Problem problem={problem} reload={reload} />
      {isLoading ? !problem && <p class="quiet">Loading…</p> : children}
    </section>
  );
}

type ReadProfile = Awaited<ReturnType<typeof client.getProfile>>;

/** By topic, or in the shape that the project asks for. */
function Profile({ entity }: { entity: EntityRef }) {
  const input = { ...entity, ...asOfPast() };
  const read = async () => client.getProfile(input);
  const { value, problem, reload } = useLoaded(read, JSON.stringify(input));
  return (
    <Part title="By topic" isLoading={value === null} problem={problem} reload={reload}>
      {value !== null && <Topics value={value} scope={scopeOfEntity(entity)} />}
    </Part>
  );
}

type TopicsProps = { value: ReadProfile; scope: Record<string, string> };

/**
 * A topic may be a category, what a model calls something or a field of a schema, and a text what a
 * model wrote; so each text is asked about, which finds the memories behind it in every case.
 */
function Topics({ value: { status, profile }, scope }: TopicsProps) {
  const topics = Object.entries(profile);
  if (status === 'not_enabled') {
    return (
      <p class="quiet">
        This project makes no profiles. <a href={linkTo('settings', 'profiles')}>Settings</a> can
        switch them on.
      </p>
    );
  }
  if (topics.length === 0) return <p class="quiet">Too little is known for a profile.</p>;
  return topics.map(([topic, said]) => (
    <section key={topic} aria-label={topic}>
      <h4 dir="auto">{topic.replaceAll('_', ' ')}</h4>
      <ul class="preview">
        {textsOf(said).map((text, at) => (
          <li key={at} dir="auto">
            <a class="said" href={linkTo('ask', '', { ...scope, query: text.slice(0, askedMax) })}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </section>
  ));
}

/** A topic has texts, or what the schema of the project says. */
function textsOf(said: unknown): string[] {
  const items: unknown[] = Array.isArray(said) ? said : [said];
  return items.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
}

/** Where the newest memories are from, and which others they belong to as well. */
function Sources({ entity }: { entity: EntityRef }) {
  const input = {
    ...scopeOfEntity(entity),
    fields: ['source_class', 'user_id', 'agent_id', 'app_id'],
    page_size: talliedMax,
    ...asOfPast(),
  } satisfies Sent<'get_memories'>;
  const read = async () => client.getMemories(input);
  const { value, problem, reload } = useLoaded(read, JSON.stringify(input));
  if (value !== null && value.total === 0 && !problem) return null;
  const memories = value?.results ?? [];
  const others = (['user', 'agent', 'app'] as const)
    .filter((type) => type !== entity.entity_type)
    .flatMap((type) =>
      tally(memories, `${type}_id`).map(([entity_id, count]) => {
        return { entity: { entity_type: type, entity_id }, count };
      }),
    );
  return (
    <Part title="Sources" isLoading={value === null} problem={problem} reload={reload}>
      {value !== null && value.total > memories.length && (
        <p class="quiet">Of the newest {memories.length.toLocaleString('en')}.</p>
      )}
      <dl class="facts">
        {tally(memories, 'source_class').map(([source, count]) => (
          <div key={source}>
            <dt>{source}</dt>
            <dd>{count.toLocaleString('en')}</dd>
          </div>
        ))}
      </dl>
      {others.length > 0 && <h3>Shared with</h3>}
      <ul class="results">
        {others.slice(0, listedMax).map(({ entity: other, count }) => (
          <li key={linkToEntity(other)}>
            <a href={linkToEntity(other)}>
              <bdi>{other.entity_id}</bdi>
            </a>
            <span class="quiet">
              {other.entity_type} · {count.toLocaleString('en')}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

type TalliedField = 'source_class' | 'user_id' | 'agent_id' | 'app_id';

/** How many memories have each value, the most frequent first. */
function tally(memories: readonly PartialMemory[], field: TalliedField): [string, number][] {
  const counts = new Map<string, number>();
  for (const memory of memories) {
    const value = memory[field];
    if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one);
}
