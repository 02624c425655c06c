import type { PartialMemory } from '../../client.ts';
import { linkTo } from '../parts/place.ts';

const owners = ['user', 'agent', 'app', 'run'] as const;

type OwnedMemory = Pick<PartialMemory, `${(typeof owners)[number]}_id`>;

/** Whose memory it is, and the way there. */
export function OwnerLink({ memory }: { memory: OwnedMemory }) {
  const type = owners.find((one) => memory[`${one}_id`]);
  if (type === undefined) return null;
  const id = memory[`${type}_id`] ?? '';
  return (
    <a href={linkTo('people', `${type}/${id}`)} dir="auto">
      {id}
    </a>
  );
}
