import { place, setParams } from '../parts/place.ts';

type AddressChoiceProps = {
  label: string;
  /** The parameter of the address. */
  name: string;
  any: string;
  options: Readonly<Record<string, string>>;
};

/** A menu that puts one of a few values, or none, into the address. */
export function AddressChoice({ label, name, any, options }: AddressChoiceProps) {
  return (
    <label class="labelled">
      {label}
      <select
        value={place.value.params[name] ?? ''}
        onChange={({ currentTarget: { value } }) =>
          setParams({ [name]: value || undefined, page: undefined })
        }
      >
        <option value="">{any}</option>
        {Object.entries(options).map(([key, title]) => (
          <option key={key} value={key}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The value in the address, if it is one of the options. */
export function chosenOf<Key extends string>(
  name: string,
  options: Readonly<Record<Key, string>>,
): Key | undefined {
  const value = place.value.params[name];
  return (Object.keys(options) as Key[]).find((key) => key === value);
}
