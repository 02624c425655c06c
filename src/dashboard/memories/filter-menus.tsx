import { entityTypes } from '../../contract/schemas/entity.ts';
import { memoryTypes, sourceClasses } from '../../contract/schemas/memory.ts';
import { place } from '../parts/place.ts';
import { client } from '../parts/session.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { type MenuParam, paramsOfFilters, selectBy, selectionOfParams } from './selection.ts';

/** Suggestions of each kind; other values can be typed. */
const suggestedMax = 100;

/** The conditions that are needed most, each as a field with what there is to choose. */
export function FilterMenus() {
  const { value, problem } = useLoaded(readValues, '');
  return (
    <div class="menus">
      {problem && <p role="alert">{problem}</p>}
      {entityTypes.map((type) => (
        <Menu key={type} name={`${type}_id`} title={nameOf(type)} values={value?.[type] ?? []} />
      ))}
      <Menu name="category" title="Category" values={value?.categories ?? []} />
      <Choice name="type" title="Type" values={memoryTypes} />
      <Choice name="source_class" title="Source" values={sourceClasses} />
      <Choice name="pinned" title="Pinned" values={['true', 'false']} />
      <Menu name="start_date" title="Created from" type="date" />
      <Menu name="end_date" title="Created to" type="date" />
      <MetadataMenu />
      <label>
        <input
          type="checkbox"
          checked={place.value.params.show_expired === 'true'}
          onChange={({ currentTarget: { checked } }) =>
            selectBy({ show_expired: checked ? 'true' : undefined })
          }
        />{' '}
        Expired ones too
      </label>
    </div>
  );
}

function nameOf(type: string): string {
  return `${type.slice(0, 1).toUpperCase()}${type.slice(1)}`;
}

async function readValues() {
  const [{ categories }, ...owners] = await Promise.all([
    client.getFilterValues({}),
    ...entityTypes.map((entity_type) =>
      client.listEntities({ entity_type, page_size: suggestedMax }),
    ),
  ]);
  const [user = [], agent = [], app = [], run = []] = owners.map(({ results }) =>
    results.map(({ id }) => id),
  );
  return { categories, user, agent, app, run };
}

type MenuProps = {
  name: MenuParam;
  title: string;
  values?: readonly string[];
  type?: 'text' | 'date';
};

/** A field for any text that suggests existing values. */
function Menu({ name, title, values = [], type = 'text' }: MenuProps) {
  const now = place.value.params[name] ?? '';
  return (
    <label>
      {title}
      <input
        key={now}
        type={type}
        list={type === 'text' ? `values-${name}` : undefined}
        defaultValue={now}
        onChange={({ currentTarget: { value } }) => selectBy({ [name]: value.trim() || undefined })}
      />
      {type === 'text' && (
        <datalist id={`values-${name}`}>
          {values.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
    </label>
  );
}

function Choice({ name, title, values = [] }: MenuProps) {
  return (
    <label>
      {title}
      <select
        value={place.value.params[name] ?? ''}
        onChange={({ currentTarget: { value } }) => selectBy({ [name]: value || undefined })}
      >
        <option value="">any</option>
        {values.map((value) => (
          <option key={value} value={value}>
            {value}
          </option>
        ))}
      </select>
    </label>
  );
}

function MetadataMenu() {
  return (
    <form
      class="metadata"
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        const key = String(data.get('key')).trim();
        if (key === '') return;
        const { filters = {} } = selectionOfParams(place.value.params).selection;
        const value = String(data.get('value'));
        selectBy(paramsOfFilters({ ...filters, [`metadata.${key}`]: value }));
      }}
    >
      <label>
        Metadata
        <input name="key" placeholder="key" />
      </label>
      <label>
        is
        <input name="value" placeholder="value" />
      </label>
      <button type="submit">Add the condition</button>
    </form>
  );
}
