import { entityTypes } from '../../contract/schemas/entity.ts';
import type { PartialMemory } from '../../contract/schemas/memory.ts';
import { linkTo } from '../parts/place.ts';

type OwnedMemory = Pick<PartialMemory, `${(typeof entityTypes)[number]}_id`>;

/** Those whose memory it is, a user first. */
export function ownersOf(memory: OwnedMemory) {
  return entityTypes.flatMap((type) => {
    const id = memory[`${type}_id`];
    return id ? [{ type, id }] : [];
  });
}

/** Whose memory it is, and the way there. */
export function OwnerLink({ memory }: { memory: OwnedMemory }) {
  const [owner] = ownersOf(memory);
  if (owner === undefined) return null;
  return (
    <a href={linkTo('people', `${owner.type}/${owner.id}`)} dir="auto">
      {owner.id}
    </a>
  );
}
