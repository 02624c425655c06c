import { entityTypes } from '../../contract/schemas/entity.ts';
import type { PartialMemory } from '../../contract/schemas/memory.ts';
import { linkTo } from '../parts/place.ts';

type OwnedMemory = Pick<PartialMemory, `${(typeof entityTypes)[number]}_id`>;

/** The owners of a memory, a user first. */
export function ownersOf(memory: OwnedMemory) {
  return entityTypes.flatMap((type) => {
    const id = memory[`${type}_id`];
    return id ? [{ type, id }] : [];
  });
}

/** A link to the first owner of a memory. */
export function OwnerLink({ memory }: { memory: OwnedMemory }) {
  const [owner] = ownersOf(memory);
  if (owner === undefined) return null;
  return (
    <a href={linkTo('people', `${owner.type}/${owner.id}`)} dir="auto">
      {owner.id}
    </a>
  );
}
