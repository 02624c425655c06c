import { formatCount } from '../../contract/format-count.ts';
import type { Output } from '../../contract.ts';
import { asOfPast } from '../parts/past.tsx';
import { pastDay } from '../parts/place.ts';
import { client } from '../parts/session.ts';
import { useLoaded } from '../parts/use-loaded.ts';

type ListedEntity = Output<'list_entities'>['results'][number];
type EntityInputProps = {
  type: ListedEntity['type'];
  label: string;
  /** What an empty field means. */
  anybody: string;
  value?: string | undefined;
  required?: boolean;
};

const offeredMax = 100;

/** An id to type or to choose: the newest are offered, with how much is remembered of each. */
export function EntityInput({
  type,
  label,
  anybody,
  value = '',
  required = false,
}: EntityInputProps) {
  const { value: entities } = useLoaded(
    async () => listNewest(type),
    JSON.stringify([type, pastDay.value]),
  );
  const list = `known-${type}`;
  return (
    <>
      <input
        name={`${type}_id`}
        aria-label={label}
        placeholder={anybody}
        list={list}
        autocomplete="off"
        dir="auto"
        defaultValue={value}
        required={required}
      />
      <datalist id={list}>
        {(entities ?? []).map(({ name, total_memories }) => (
          <option key={name} value={name}>
            {formatCount(total_memories, 'memory', 'memories')}
          </option>
        ))}
      </datalist>
    </>
  );
}

/** The newest of a type, on the day that is shown. */
export async function listNewest(entity_type: ListedEntity['type']): Promise<ListedEntity[]> {
  const input = { entity_type, page_size: offeredMax, ...asOfPast() };
  return (await client.listEntities(input)).results;
}
