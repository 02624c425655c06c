import { useState } from 'preact/hooks';
import { messageOf } from '../parts/message-of.ts';
import {
  type MetadataRow,
  readMetadata,
  rowsOf,
  type TypedMetadata,
  type ValueKind,
  valueKinds,
} from './metadata-rows.ts';

type MetadataFieldProps = { input: TypedMetadata; onChange: (typed: TypedMetadata) => void };

/** Metadata as rows of a key and a value, or as JSON. */
export function MetadataField({ input, onChange }: MetadataFieldProps) {
  const [problem, setProblem] = useState('');
  const isJson = 'json' in input;
  const turn = () => {
    try {
      const metadata = readMetadata(input);
      onChange(isJson ? { rows: rowsOf(metadata) } : { json: JSON.stringify(metadata, null, 2) });
      setProblem('');
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <fieldset class="part">
      <legend>Metadata</legend>
      {'json' in input ? (
        <textarea
          aria-label="Metadata as JSON"
          rows={5}
          spellcheck={false}
          class="code"
          value={input.json}
          onInput={(event) => onChange({ json: event.currentTarget.value })}
        />
      ) : (
        <Rows rows={input.rows} onChange={(rows) => onChange({ rows })} />
      )}
      {problem && <p role="alert">{problem}</p>}
      <button type="button" onClick={turn}>
        {isJson ? 'As rows' : 'As JSON'}
      </button>
    </fieldset>
  );
}

type RowsProps = {
  rows: readonly MetadataRow[];
  onChange: (rows: readonly MetadataRow[]) => void;
};

function Rows({ rows, onChange }: RowsProps) {
  return (
    <>
      {rows.map((row, at) => (
        <Row
          key={at}
          row={row}
          number={at + 1}
          onChange={(row) => onChange(rows.with(at, row))}
          onRemove={() => onChange(rows.toSpliced(at, 1))}
        />
      ))}
      <button
        type="button"
        onClick={() => onChange([...rows, { key: '', kind: 'text', text: '' }])}
      >
        Add a key
      </button>
    </>
  );
}

type RowProps = {
  row: MetadataRow;
  number: number;
  onChange: (row: MetadataRow) => void;
  onRemove: () => void;
};

function Row({ row, number, onChange, onRemove }: RowProps) {
  const { key, kind, text } = row;
  return (
    <div class="pair">
      <input
        aria-label={`Key ${number}`}
        placeholder="Key"
        dir="auto"
        value={key}
        onInput={(event) => onChange({ ...row, key: event.currentTarget.value })}
      />
      <select
        aria-label={`Kind of value ${number}`}
        value={kind}
        onChange={(event) => onChange(asKind(row, event.currentTarget.value as ValueKind))}
      >
        {valueKinds.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <button type="button" aria-label={`Remove key ${key || number}`} onClick={onRemove}>
        ×
      </button>
      <Value
        label={`Value ${number}`}
        row={row}
        onText={(next) => onChange({ ...row, text: next })}
      />
      {kind === 'text' && text === '' && key !== '' && <span class="quiet">An empty text.</span>}
    </div>
  );
}

type ValueProps = { label: string; row: MetadataRow; onText: (text: string) => void };

function Value({ label, row: { kind, text }, onText }: ValueProps) {
  if (kind === 'yes or no') {
    return (
      <select
        aria-label={label}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
      >
        <option>yes</option>
        <option>no</option>
      </select>
    );
  }
  // An input of one line would drop the ends of the others.
  return (
    <textarea
      aria-label={label}
      placeholder="Value"
      rows={Math.min(6, text.split('\n').length)}
      dir="auto"
      value={text}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  );
}

/** What was typed stays, unless only yes and no are left. */
function asKind(row: MetadataRow, kind: ValueKind): MetadataRow {
  if (kind !== 'yes or no') return { ...row, kind };
  return { ...row, kind, text: /^(yes|true|1)$/i.test(row.text.trim()) ? 'yes' : 'no' };
}
