import './owner-filter.css';
import { useState } from 'preact/hooks';
import { type EntityType, entityIdField, typedIdFields } from '../../contract/schemas/entity.ts';
import { place, setParams } from '../parts/place.ts';

/** The owner that the address asks for; null means everybody. */
export function ownerInPlace(): { type: EntityType; id: string } | null {
  const { params } = place.value;
  for (const { type, field } of typedIdFields) {
    const id = params[field];
    if (id !== undefined && id !== '') return { type, id };
  }
  return null;
}

/** The same as a field of an operation. */
export function ownerScopeInPlace(): { user_id?: string; agent_id?: string } {
  const owner = ownerInPlace();
  return owner === null ? {} : { [entityIdField(owner.type)]: owner.id };
}

/** Narrows a list to a user, an agent, an app or a session, in the address. */
export function OwnerFilter() {
  const owner = ownerInPlace();
  const [type, setType] = useState<EntityType>(owner?.type ?? 'user');
  const set = (kind: EntityType, id: string) => {
    const none = Object.fromEntries(typedIdFields.map(({ field }) => [field, undefined]));
    setParams({ ...none, page: undefined, [entityIdField(kind)]: id.trim() || undefined });
  };
  return (
    <div class="labelled">
      <span aria-hidden="true">Owner</span>
      <span class="owner">
        <select
          aria-label="Type of owner"
          value={owner?.type ?? type}
          onChange={({ currentTarget: { value } }) => {
            const kind = typedIdFields.find((one) => one.type === value)?.type ?? 'user';
            setType(kind);
            if (owner !== null) set(kind, owner.id);
          }}
        >
          {typedIdFields.map((one) => (
            <option key={one.type}>{one.type}</option>
          ))}
        </select>
        <input
          type="search"
          aria-label="Owner"
          placeholder="everybody"
          value={owner?.id ?? ''}
          onChange={({ currentTarget }) => set(owner?.type ?? type, currentTarget.value)}
        />
      </span>
    </div>
  );
}
