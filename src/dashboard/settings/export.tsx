import { useState } from 'preact/hooks';
import type { Sent } from '../../client/operations.ts';
import { EntityInput } from '../owners/entity-input.tsx';
import { CallAs, CopyButton } from '../parts/call-as.tsx';
import { DownloadLink } from '../parts/download-link.tsx';
import { optionalField } from '../parts/form-fields.ts';
import { place, setParams } from '../parts/place.ts';
import { Unread } from '../parts/problem.tsx';
import { client, viewer } from '../parts/session.ts';
import { useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';

const types = ['string', 'number', 'boolean', 'array'] as const;
const pauseMs = 500;
const triesMax = 120;

/** A form of fields that is filled from what is remembered; the address names what was filled. */
export function Export() {
  const { memory_export_id } = place.value.params;
  const { busy, problem, run } = useAction();
  const showNewest = async () => setParams({ memory_export_id: (await client.getExport({})).id });
  return (
    <>
      <p class="quiet">
        Name the fields that you need, and mneme fills them from memories. What no memory says is
        empty, never invented.
      </p>
      {viewer.value?.mayWrite === true ? <NewExport /> : <p>Only an owner may start an export.</p>}
      {problem && <p role="alert">{problem}</p>}
      {memory_export_id === undefined ? (
        <button type="button" disabled={busy} onClick={() => run(showNewest)}>
          Show the newest export
        </button>
      ) : (
        <Filled key={memory_export_id} memory_export_id={memory_export_id} />
      )}
    </>
  );
}

function NewExport() {
  const [rows, setRows] = useState(3);
  const [input, setInput] = useState<Sent<'create_export'> | null>(null);
  const { busy, problem, run } = useAction();
  return (
    <form
      class="card form"
      aria-label="Export"
      onSubmit={(event) => {
        event.preventDefault();
        const input = inputOf(new FormData(event.currentTarget));
        run(async () => {
          setParams({ memory_export_id: (await client.createExport(input)).id });
          setInput(input);
        });
      }}
    >
      <div class="field">
        Of user
        <EntityInput type="user" label="Of user" anybody="all" />
      </div>
      <div class="field">
        Of agent
        <EntityInput type="agent" label="Of agent" anybody="all" />
      </div>
      <fieldset class="checks wide-field">
        <legend>Fields</legend>
        {Array.from({ length: rows }, (_, at) => (
          <FieldRow key={at} number={at + 1} />
        ))}
        <button type="button" onClick={() => setRows(rows + 1)}>
          Another field
        </button>
      </fieldset>
      <label class="field wide-field">
        How to fill it
        <span class="quiet">For a language model; without one, rules fill the fields</span>
        <textarea name="export_instructions" rows={2} dir="auto" />
      </label>
      {problem && <p role="alert">{problem}</p>}
      <button class="primary" type="submit" disabled={busy}>
        Fill it
      </button>
      {input !== null && <CallAs operation="create_export" input={input} />}
    </form>
  );
}

function FieldRow({ number }: { number: number }) {
  return (
    <div class="pair three">
      <input
        name="field"
        aria-label={`Field ${number}`}
        placeholder="home_city"
        required={number === 1}
      />
      <select name="type" aria-label={`Kind of field ${number}`}>
        {types.map((type) => (
          <option key={type} value={type}>
            {type === 'array' ? 'list' : type}
          </option>
        ))}
      </select>
      <input
        name="about"
        aria-label={`What field ${number} says`}
        placeholder="where the user lives"
        dir="auto"
      />
    </div>
  );
}

function Filled({ memory_export_id }: { memory_export_id: string }) {
  const { value, problem, reload } = useLoaded(() => waitForExport(memory_export_id), '');
  if (value === null) return <Unread problem={problem} reload={reload} />;
  return (
    <article class="card" aria-label="Filled">
      <h3>Filled</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <pre tabIndex={0} dir="auto">
        {value}
      </pre>
      <div class="bar">
        <CopyButton text={value} />
        <DownloadLink text={value} name="export.json" />
      </div>
      <CallAs operation="get_export" input={{ memory_export_id }} />
    </article>
  );
}

function inputOf(data: FormData): Sent<'create_export'> {
  const [kinds, abouts] = ['type', 'about'].map((name) => data.getAll(name).map(String));
  const fields = data
    .getAll('field')
    .map((name, at) => [String(name).trim(), schemaOf(kinds?.[at], abouts?.[at])] as const)
    .filter(([name]) => name !== '');
  return {
    schema: { type: 'object', properties: Object.fromEntries(fields) },
    ...optionalField(data, 'user_id'),
    ...optionalField(data, 'agent_id'),
    ...optionalField(data, 'export_instructions'),
  };
}

function schemaOf(type = 'string', about = '') {
  return {
    ...(type === 'array' ? { type, items: { type: 'string' } } : { type }),
    ...(about.trim() !== '' && { description: about.trim() }),
  };
}

/** The filled form as a text, as soon as it is there. */
async function waitForExport(memory_export_id: string): Promise<string> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const { status, data, message } = await client.getExport({ memory_export_id });
    if (status === 'SUCCEEDED') return JSON.stringify(data, null, 2);
    if (status === 'FAILED') throw new Error(message);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  throw new Error('The export is still in progress.');
}
