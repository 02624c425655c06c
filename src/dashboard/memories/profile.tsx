import { useState } from 'preact/hooks';
import type { DeleteEntityOutput } from '../../client.ts';
import { CallAs } from '../parts/call-as.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { asOfPast } from '../parts/past.tsx';
import { client } from '../parts/session.ts';
import { minuteOf } from '../parts/times.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import type { EntityRef } from './entity.ts';

type ProfileProps = {
  entity: EntityRef;
  mayWrite: boolean;
  onClose: () => void;
  onShow: (entity: EntityRef) => void;
  onErased: () => void;
};

/** What is known of somebody, by topic, and the way to forget them. */
export function Profile({ entity, mayWrite, onClose, onShow, onErased }: ProfileProps) {
  const { entity_type, entity_id } = entity;
  const { value, problem } = useLoaded(() => readProfile(entity), JSON.stringify(entity));
  const [erased, setErased] = useState<DeleteEntityOutput | null>(null);
  return (
    <aside class="detail" aria-label="Profile">
      <div class="bar">
        <button type="button" onClick={onClose}>
          Close
        </button>
        <button type="button" onClick={() => onShow(entity)}>
          Show the memories
        </button>
        {mayWrite && value !== null && erased === null && (
          <Confirm
            label="Erase"
            title={`Erase ${entity_id}?`}
            confirm="Erase for ever"
            keep="Keep it"
            typed={entity_id}
            onConfirm={async () => {
              setErased(await client.deleteEntity(entity));
              onErased();
            }}
          >
            <p>What will go:</p>
            <ul class="preview">
              <li>{countOf(value.memories, 'memory', 'memories')}, shared ones too</li>
              <li>{countOf(value.changes, 'change', 'changes')} in their history</li>
              <li>feedback, relations, and their data in events and deliveries</li>
              <li>exports that may contain them</li>
            </ul>
            <p class="quiet">Nothing can be brought back. Earlier backups keep what they have.</p>
          </Confirm>
        )}
      </div>
      <h2 dir="auto">
        {entity_id} <span class="tag">{entity_type}</span>
      </h2>
      {problem && <p role="alert">{problem}</p>}
      {erased !== null && <Erased receipt={erased} />}
      {value !== null && erased === null && <Topics value={value} />}
      <CallAs operation="get_profile" input={{ entity_type, entity_id }} />
    </aside>
  );
}

type Known = Awaited<ReturnType<typeof readProfile>>;

async function readProfile({ entity_type, entity_id }: EntityRef) {
  const owner = { [`${entity_type}_id`]: entity_id };
  const [profile, memories, history] = await Promise.all([
    client.getProfile({ entity_type, entity_id, ...asOfPast() }),
    client.getMemories({ ...owner, page_size: 1, show_expired: true, ...asOfPast() }),
    client.listHistory({ ...owner, page_size: 1 }),
  ]);
  return { profile, memories: memories.total, changes: history.total };
}

function Topics({ value: { profile, memories, changes } }: { value: Known }) {
  const topics = Object.entries(profile.profile);
  return (
    <>
      <p class="quiet">
        {countOf(memories, 'memory', 'memories')}, {countOf(changes, 'change', 'changes')}
        {profile.generated_at !== null && ` · as of ${minuteOf(profile.generated_at)}`}
      </p>
      {topics.length === 0 && <p>Too little is known for a profile.</p>}
      {topics.map(([topic, said]) => (
        <section key={topic} aria-label={topic}>
          <h3>{topic.replaceAll('_', ' ')}</h3>
          <ul class="preview">
            {textsOf(said).map((text, at) => (
              <li key={at} dir="auto">
                {text}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

/** A topic has texts, or what the schema of the project says. */
function textsOf(said: unknown): string[] {
  const items: unknown[] = Array.isArray(said) ? said : [said];
  return items.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
}

function Erased({ receipt: { message, receipt } }: { receipt: DeleteEntityOutput }) {
  const rows = Object.entries(receipt.removed).filter(([, count]) => count > 0);
  const isClean = Object.keys(receipt.remaining).length === 0;
  return (
    <div role="status">
      <p>
        {message} {isClean ? 'A second look found nothing left.' : 'Something is left.'}
      </p>
      <dl class="facts">
        {rows.map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{count.toLocaleString('en')}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function countOf(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
