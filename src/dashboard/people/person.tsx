import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Output } from '../../contract.ts';
import { Ago } from '../parts/ago.tsx';
import { CallAs } from '../parts/call-as.tsx';
import { asOfPast } from '../parts/past.tsx';
import { linkTo, pastDay } from '../parts/place.ts';
import { Problem } from '../parts/problem.tsx';
import { client, viewer } from '../parts/session.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { type EntityRef, entityKinds, type PersonFacts, scopeOfEntity } from './entity-kinds.ts';
import { Erasure, ErasureReceipt } from './erasure.tsx';
import { Known } from './known.tsx';
import { DeleteAll, DeletedAll } from './removal.tsx';

/** One of those whom memories belong to: what is known, and how it is forgotten. */
export function Person({ entity }: { entity: EntityRef }) {
  const key = JSON.stringify([entity, pastDay.value]);
  const { value, problem, reload } = useLoaded(() => readPerson(entity), key);
  const [receipt, setReceipt] = useState<Output<'delete_entity'> | null>(null);
  const { entity_type, entity_id } = entity;
  const [singular, plural] = entityKinds[entity_type];
  return (
    <div class="page person">
      <p>
        <a href={linkTo('people', '', { entity_type })}>{plural}</a>
      </p>
      <h2 class="person-name">
        <bdi>{value?.entity?.name ?? entity_id}</bdi> <span class="tag">{singular}</span>
      </h2>
      <Problem problem={problem} reload={reload} />
      {value === null && !problem && <p>Loading…</p>}
      {receipt !== null && <ErasureReceipt entity={entity} output={receipt} />}
      {receipt === null && value?.entity === null && <Unknown one={singular} />}
      {receipt === null && value !== null && value.entity !== null && (
        <Present entity={entity} facts={value} reload={reload} onErased={setReceipt} />
      )}
      <CallAs operation="get_profile" input={{ ...entity, ...asOfPast() }} />
    </div>
  );
}

type PresentProps = {
  entity: EntityRef;
  facts: PersonFacts;
  reload: () => Promise<void>;
  onErased: (output: Output<'delete_entity'>) => void;
};

/** What is known of somebody, read again when their memories are deleted or come back. */
function Present({ entity, facts, reload, onErased }: PresentProps) {
  // Undefined until something is deleted, brought back or dismissed here.
  const [event_id, setEventId] = useState<string | null | undefined>();
  const deletion = event_id === undefined ? facts.deletion : event_id;
  const [revision, setRevision] = useState(0);
  const change = (event_id: string | null) => {
    setEventId(event_id);
    setRevision(revision + 1);
    void reload(); // failures are kept in `problem`
  };
  return (
    <>
      <Actions entity={entity} facts={facts} onErased={onErased} onDeleted={change} />
      {deletion !== null && (
        <DeletedAll
          event_id={deletion}
          onDismiss={() => setEventId(null)}
          onUndone={() => change(null)}
        />
      )}
      <Facts facts={facts} />
      <Known key={revision} entity={entity} />
    </>
  );
}

async function readPerson(entity: EntityRef): Promise<PersonFacts> {
  const [entities, history] = await Promise.all([
    client.listEntities({ ...entity, page_size: 1, ...asOfPast() }),
    pastDay.value === null ? client.listHistory({ ...scopeOfEntity(entity), page_size: 1 }) : null,
  ]);
  const listed = entities.results[0] ?? null;
  return {
    entity: listed,
    deletion: listed?.total_memories === 0 ? await findDeletion(entity) : null,
    changes: history && { total: history.total, last: history.results[0]?.created_at ?? null },
  };
}

async function findDeletion(entity: EntityRef): Promise<string | null> {
  if (!mayChange()) return null;
  const input = { ...entity, event_type: 'DELETE_ALL', page_size: 1 } as const;
  const { results } = await client.listEvents(input);
  return results[0]?.id ?? null;
}

function mayChange(): boolean {
  return viewer.value?.mayWrite === true && pastDay.value === null;
}

function Unknown({ one }: { one: string }) {
  return (
    <div class="empty">
      <h2>Nothing is known of this {one}</h2>
      <p>
        No memory has this id
        {pastDay.value === null ? '. It may have been erased, or written differently.' : ' yet.'}
      </p>
    </div>
  );
}

type PersonActionsProps = {
  entity: EntityRef;
  facts: PersonFacts;
  onDeleted: (event_id: string) => void;
  onErased: (output: Output<'delete_entity'>) => void;
};

function Actions({ entity, facts, onDeleted, onErased }: PersonActionsProps) {
  const scope = scopeOfEntity(entity);
  const [one] = entityKinds[entity.entity_type];
  const memories = facts.entity?.total_memories ?? 0;
  const mayWrite = mayChange();
  return (
    <div class="bar">
      <a class="button" href={linkTo('memories', '', scope)}>
        All memories
      </a>
      <a class="button" href={linkTo('ask', '', scope)}>
        Ask as this {one}
      </a>
      {entity.entity_type === 'user' && (
        <a class="button" href={linkTo('graph', '', scope)}>
          Graph
        </a>
      )}
      {mayWrite && memories > 0 && (
        <DeleteAll entity={entity} memories={memories} onDeleted={onDeleted} />
      )}
      {mayWrite && <Erasure entity={entity} facts={facts} onErased={onErased} />}
    </div>
  );
}

function Facts({ facts: { entity, changes } }: { facts: PersonFacts }) {
  if (entity === null) return null;
  const { id, metadata, total_memories, created_at, updated_at } = entity;
  const hasMetadata = Object.keys(metadata).length > 0;
  return (
    <dl class="facts" aria-label="Facts">
      <Fact name="Id">
        <bdi class="id">{id}</bdi>
      </Fact>
      <Fact name="Memories">{total_memories.toLocaleString('en')}</Fact>
      {changes !== null && <Fact name="Changes">{changes.total.toLocaleString('en')}</Fact>}
      <Fact name="First added">
        <Ago instant={created_at} exact />
      </Fact>
      {pastDay.value === null && (
        <Fact name="Last added">
          <Ago instant={updated_at} exact />
        </Fact>
      )}
      {changes !== null && changes.last !== null && (
        <Fact name="Last change">
          <Ago instant={changes.last} exact />
        </Fact>
      )}
      {hasMetadata && (
        <Fact name="Metadata">
          <code dir="auto">{JSON.stringify(metadata)}</code>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
