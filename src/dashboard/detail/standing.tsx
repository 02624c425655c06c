import type { ComponentChildren } from 'preact';
import type { Memory } from '../../contract/schemas/memory.ts';
import { shortIdOf } from '../../contract/short-id.ts';
import { linkTo } from '../parts/place.ts';
import { client } from '../parts/session.ts';
import { today } from '../parts/times.ts';
import { useLoaded } from '../parts/use-loaded.ts';

/** What a reader should know before trusting the text, and where it is decided. */
export function Standing({ memory }: { memory: Memory }) {
  const { status, replaced_by, immutable, metadata, valid_until, may_replace = [] } = memory;
  const { expiration_date } = memory;
  const isExpired = expiration_date !== null && expiration_date < today();
  const isOver = valid_until !== null && valid_until <= new Date().toISOString();
  return (
    <>
      {status !== 'active' && (
        <Note>
          {status === 'quarantined' ? 'It is in quarantine' : 'It is waiting for review'}, and is
          not recalled until somebody accepts it. <a href={linkTo('review')}>Review it</a>
        </Note>
      )}
      {'flagged' in metadata && (
        <Note>Possible prompt injection: it looks like instructions to an agent.</Note>
      )}
      {replaced_by !== null && (
        <Note>
          It was merged into another memory, which is recalled in its place:{' '}
          <Others ids={[replaced_by]} />
        </Note>
      )}
      {may_replace.length > 0 && (
        <Note>
          It may contradict what was known before. Edit or delete the one that is wrong:{' '}
          <Others ids={may_replace} />
        </Note>
      )}
      {isExpired && <Note>It has expired, and is not recalled any more.</Note>}
      {isOver && <Note>It is not true any more.</Note>}
      {immutable && <Note>It is immutable: it can be deleted, not changed.</Note>}
    </>
  );
}

function Note({ children }: { children: ComponentChildren }) {
  return <p class="note">{children}</p>;
}

/** Other memories by their texts; by their ids until those have arrived, or if they do not. */
function Others({ ids }: { ids: readonly string[] }) {
  const { value } = useLoaded(() => readTexts(ids), ids.join());
  return (
    <ul class="preview">
      {ids.map((id) => (
        <li key={id}>
          <a href={linkTo('memories', id)} dir="auto">
            {value?.get(id) ?? `Memory ${shortIdOf(id)}`}
          </a>
        </li>
      ))}
    </ul>
  );
}

async function readTexts(ids: readonly string[]): Promise<Map<string, string>> {
  const filters = { id: { in: ids } };
  const page = await client.getMemories({ filters, show_expired: true, latest_only: false });
  return new Map(page.results.map(({ id, memory = '' }) => [id, memory]));
}
