import { useId } from 'preact/hooks';
import { client } from '../parts/session.ts';
import { useLoaded } from '../parts/use-loaded.ts';

/** The categories so far, and the name of one that is still being typed. */
export type TypedCategories = { names: readonly string[]; next: string };

type CategoryFieldProps = {
  input: TypedCategories;
  onChange: (input: TypedCategories) => void;
};

/** All names, with the one still being typed: it counts even if nobody presses the button. */
export function namesOf({ names, next }: TypedCategories): string[] {
  const name = next.trim();
  return [...new Set(name === '' ? names : [...names, name])];
}

/** A field for names, which suggests those of the project. */
export function CategoryField({ input, onChange }: CategoryFieldProps) {
  const add = () => onChange({ names: namesOf(input), next: '' });
  return (
    <fieldset class="part">
      <legend>Categories</legend>
      <ul class="chips" aria-label="Categories">
        {input.names.map((name) => (
          <li key={name}>
            <button
              type="button"
              dir="auto"
              aria-label={`Remove the category ${name}`}
              onClick={() =>
                onChange({ ...input, names: input.names.filter((one) => one !== name) })
              }
            >
              {name} ×
            </button>
          </li>
        ))}
      </ul>
      <div class="with-button">
        <CategoryInput input={input} onChange={onChange} onEnter={add} />
        <button type="button" onClick={add}>
          Add
        </button>
      </div>
    </fieldset>
  );
}

/** An input for one name. */
export function CategoryInput({
  input,
  onChange,
  onEnter,
}: CategoryFieldProps & { onEnter?: () => void }) {
  const list = useId();
  // Without suggestions, names can still be typed.
  const { value } = useLoaded(async () => client.getFilterValues(), '');
  return (
    <>
      <input
        aria-label="Name of a category"
        placeholder="Name of a category"
        list={list}
        dir="auto"
        value={input.next}
        onInput={(event) => onChange({ ...input, next: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          onEnter?.();
        }}
      />
      <datalist id={list}>
        {value?.categories.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
