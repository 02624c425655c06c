import { useState } from 'preact/hooks';
import type { CreateExportInput } from '../../client.ts';
import { CallAs, CopyButton } from '../parts/call-as.tsx';
import { client, viewer } from '../parts/session.ts';
import { useAction } from '../parts/use-action.ts';
import { optionalField } from './form-fields.ts';

const types = ['string', 'number', 'boolean', 'array'] as const;
const pauseMs = 500;
const triesMax = 120;

type Filled = { input: CreateExportInput; data: unknown };

/** A form of fields that is filled from what is remembered. */
export function Export() {
  const [rows, setRows] = useState(3);
  const [filled, setFilled] = useState<Filled | null>(null);
  const { busy, problem, run } = useAction();
  const mayWrite = viewer.value?.mayWrite === true;
  return (
    <>
      <p class="quiet">
        Name the fields that you need, and mneme fills them from memories. What no memory says is
        empty, never invented.
      </p>
      {!mayWrite && <p>Only an owner may start an export.</p>}
      {mayWrite && (
        <form
          class="card form"
          aria-label="Export"
          onSubmit={(event) => {
            event.preventDefault();
            const input = inputOf(new FormData(event.currentTarget));
            run(async () => setFilled({ input, data: await fill(input) }));
          }}
        >
          <label class="field">
            Of user
            <input name="user_id" placeholder="all" dir="auto" />
          </label>
          <fieldset class="checks wide-field">
            <legend>Fields</legend>
            {Array.from({ length: rows }, (_, at) => (
              <FieldRow key={at} number={at + 1} />
            ))}
            <button type="button" onClick={() => setRows(rows + 1)}>
              Another field
            </button>
          </fieldset>
          {problem && <p role="alert">{problem}</p>}
          <button class="primary" type="submit" disabled={busy}>
            {busy ? 'Filling…' : 'Fill it'}
          </button>
        </form>
      )}
      {filled !== null && <Result {...filled} />}
    </>
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

function Result({ input, data }: Filled) {
  const text = JSON.stringify(data, null, 2);
  return (
    <article class="card" aria-label="Filled">
      <h3>Filled</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <pre tabIndex={0} dir="auto">
        {text}
      </pre>
      <div class="bar">
        <CopyButton text={text} />
      </div>
      <CallAs operation="create_export" input={input} />
    </article>
  );
}

function inputOf(data: FormData): CreateExportInput {
  const [kinds, abouts] = ['type', 'about'].map((name) => data.getAll(name).map(String));
  const fields = data
    .getAll('field')
    .map((name, at) => [String(name).trim(), schemaOf(kinds?.[at], abouts?.[at])] as const)
    .filter(([name]) => name !== '');
  return {
    schema: { type: 'object', properties: Object.fromEntries(fields) },
    ...optionalField(data, 'user_id'),
  };
}

function schemaOf(type = 'string', about = '') {
  return {
    ...(type === 'array' ? { type, items: { type: 'string' } } : { type }),
    ...(about.trim() !== '' && { description: about.trim() }),
  };
}

async function fill(input: CreateExportInput): Promise<unknown> {
  const { id: memory_export_id } = await client.createExport(input);
  for (let tries = 0; tries < triesMax; tries += 1) {
    const { status, data, message } = await client.getExport({ memory_export_id });
    if (status === 'SUCCEEDED') return data;
    if (status === 'FAILED') throw new Error(message);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  throw new Error('The export is still in progress; come back for it later.');
}
