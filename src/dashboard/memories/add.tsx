import { useRef, useState } from 'preact/hooks';
import type { Sent } from '../../client/operations.ts';
import { type EntityType, entityTypes } from '../../contract/schemas/entity.ts';
import { CategoryField, namesOf } from '../detail/category-field.tsx';
import { ExpiryField } from '../detail/expiry-field.tsx';
import { MetadataField } from '../detail/metadata-field.tsx';
import { readMetadata, type TypedMetadata } from '../detail/metadata-rows.ts';
import { goTo, place } from '../parts/place.ts';
import { useAction } from '../parts/use-action.ts';
import { addText } from './adding.ts';

type AddMemoryProps = { filters: Sent<'get_memories'>['filters']; onAdded: () => void };

/** A button, and the form behind it. What was typed stays until it is stored. */
export function AddMemory({ filters, onAdded }: AddMemoryProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  /** Counts the forms: each text that is stored leaves an empty one. */
  const [form, setForm] = useState(0);
  const open = () => {
    if (form === 0) setForm(1);
    dialog.current?.showModal();
  };
  const close = () => dialog.current?.close();
  return (
    <div class="bar">
      <button type="button" class="primary" onClick={open}>
        Add a memory
      </button>
      <dialog ref={dialog} aria-label="Add a memory">
        <h2>Add a memory</h2>
        {form > 0 && (
          <Form
            key={form}
            user_id={typeof filters?.user_id === 'string' ? filters.user_id : ''}
            onCancel={close}
            onAdded={(id) => {
              close();
              setForm(form + 1);
              onAdded();
              if (id !== null) goTo('memories', id, place.value.params);
            }}
          />
        )}
      </dialog>
    </div>
  );
}

type FormProps = {
  user_id: string;
  onCancel: () => void;
  onAdded: (id: string | null) => void;
};

function Form({ user_id, onCancel, onAdded }: FormProps) {
  const { busy, problem, run } = useAction();
  const { values, set, read } = useNewMemory(user_id);
  const add = async () => onAdded(await addText(read(), namesOf(values.categories)));
  return (
    <form
      class="new-memory"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) run(add);
      }}
    >
      <label class="field">
        Text
        <textarea
          rows={4}
          dir="auto"
          required
          value={values.text}
          onInput={(event) => set({ text: event.currentTarget.value })}
        />
      </label>
      <Owner type={values.type} id={values.id} onChange={set} />
      <Storing infer={values.infer} onChange={(infer) => set({ infer })} />
      <CategoryField input={values.categories} onChange={(categories) => set({ categories })} />
      <ExpiryField date={values.date} onChange={(date) => set({ date })} />
      <MetadataField input={values.metadata} onChange={(metadata) => set({ metadata })} />
      {problem && <p role="alert">{problem}</p>}
      <div class="bar">
        <button type="submit" class="primary" disabled={busy}>
          {busy ? 'Storing…' : 'Add'}
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}

function useNewMemory(user_id: string) {
  const [values, setValues] = useState({
    text: '',
    type: 'user' as EntityType,
    id: user_id,
    infer: false,
    categories: { names: [] as readonly string[], next: '' },
    date: '',
    metadata: { rows: [] } as TypedMetadata,
  });
  const set = (change: Partial<typeof values>) => setValues({ ...values, ...change });
  const read = (): Sent<'add_memory'> => {
    const metadata = readMetadata(values.metadata);
    return {
      text: values.text,
      [`${values.type}_id`]: values.id.trim(),
      infer: values.infer,
      ...(values.date !== '' && { expiration_date: values.date }),
      ...(Object.keys(metadata).length > 0 && { metadata }),
    };
  };
  return { values, set, read };
}

type OwnerProps = {
  type: EntityType;
  id: string;
  onChange: (change: { type?: EntityType; id?: string }) => void;
};

function Owner({ type, id, onChange }: OwnerProps) {
  return (
    <div class="owner">
      <label class="field">
        It belongs to
        <select
          value={type}
          onChange={(event) => onChange({ type: event.currentTarget.value as EntityType })}
        >
          {entityTypes.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label class="field">
        Name of the {type}
        <input
          required
          dir="auto"
          value={id}
          onInput={(event) => onChange({ id: event.currentTarget.value })}
        />
      </label>
    </div>
  );
}

function Storing({ infer, onChange }: { infer: boolean; onChange: (infer: boolean) => void }) {
  return (
    <fieldset class="part">
      <legend>How it is stored</legend>
      <label class="check">
        <input type="radio" checked={!infer} onChange={() => onChange(false)} />
        Store it as it is
      </label>
      <label class="check">
        <input type="radio" checked={infer} onChange={() => onChange(true)} />
        Extract facts, as from what a user says
      </label>
    </fieldset>
  );
}
