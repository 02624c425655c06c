import { Check, Copy } from 'lucide';
import type { ComponentChildren } from 'preact';
import type { Memory } from '../../contract/schemas/memory.ts';
import { ownersOf } from '../owners/owner-link.tsx';
import { Ago } from '../parts/ago.tsx';
import { useCopied } from '../parts/call-as.tsx';
import { Icon } from '../parts/icon.tsx';
import { linkTo } from '../parts/place.ts';
import { eventTime, minuteOf } from '../parts/times.ts';

const sources = {
  user: 'said by the user',
  import: 'imported',
  assistant: 'said by the assistant',
  document: 'a document',
  tool: 'a tool',
  unknown: 'not known',
} as const satisfies Record<Memory['source_class'], string>;

/** What is known about a memory, in words. */
export function Facts({ memory }: { memory: Memory }) {
  const { id, slot, metadata, created_at, updated_at, occurred_at, source_class } = memory;
  const { valid_from, valid_until, expiration_date, pinned } = memory;
  return (
    <dl class="facts">
      <Fact label="Owner">
        <Owners memory={memory} />
      </Fact>
      {memory.type !== null && <Fact label="Kind">{memory.type}</Fact>}
      {slot !== null && <Fact label="States">{slot.replaceAll('_', ' ')}</Fact>}
      {pinned && <Fact label="Pinned">shown in every context</Fact>}
      {memory.categories.length > 0 && (
        <Fact label="Categories">
          <Categories names={memory.categories} />
        </Fact>
      )}
      <Fact label="Source">{sources[source_class]}</Fact>
      <Fact label="Added">
        <Ago instant={created_at} exact />
      </Fact>
      {updated_at !== created_at && (
        <Fact label="Edited">
          <Ago instant={updated_at} exact />
        </Fact>
      )}
      {occurred_at !== null && (
        <Fact label="Happened">{eventTime(occurred_at, memory.occurred_granularity)}</Fact>
      )}
      {valid_from !== null && <Fact label="True since">{minuteOf(valid_from)}</Fact>}
      {valid_until !== null && <Fact label="True until">{minuteOf(valid_until)}</Fact>}
      {expiration_date !== null && <Fact label="Expires">after {expiration_date}</Fact>}
      {Object.keys(metadata).length > 0 && (
        <Fact label="Metadata">
          <MetadataTable metadata={metadata} />
        </Fact>
      )}
      <Fact label="Id">
        <code>{id}</code> <CopyId id={id} />
      </Fact>
    </dl>
  );
}

function CopyId({ id }: { id: string }) {
  const { isCopied, copy } = useCopied(id);
  return (
    <button type="button" class="icon-button" onClick={copy}>
      <Icon node={isCopied ? Check : Copy} />
      <span class="hidden">{isCopied ? 'Copied' : 'Copy'}</span>
    </button>
  );
}

function Fact({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Each with a link to all that is known of them. */
function Owners({ memory }: { memory: Memory }) {
  return (
    <ul class="links">
      {ownersOf(memory).map(({ type, id }) => (
        <li key={type}>
          <a href={linkTo('people', `${type}/${id}`)} dir="auto">
            {id}
          </a>{' '}
          <span class="quiet">{type}</span>
        </li>
      ))}
    </ul>
  );
}

function Categories({ names }: { names: readonly string[] }) {
  return (
    <ul class="links">
      {names.map((category) => (
        <li key={category}>
          <a href={linkTo('memories', '', { category })} dir="auto">
            {category}
          </a>
        </li>
      ))}
    </ul>
  );
}

function MetadataTable({ metadata }: Pick<Memory, 'metadata'>) {
  return (
    <table class="metadata">
      <caption class="hidden">Metadata</caption>
      <tbody>
        {Object.entries(metadata).map(([key, value]) => (
          <tr key={key}>
            <th scope="row" dir="auto">
              {key}
            </th>
            <td dir="auto">{typeof value === 'string' ? value : JSON.stringify(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
