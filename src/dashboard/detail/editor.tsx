import { useEffect, useRef, useState } from 'preact/hooks';
import type { Memory, UpdateMemoryOutput } from '../../client.ts';
import { client } from '../parts/session.ts';
import { useAction } from '../parts/use-action.ts';
import { CategoryField, namesOf } from './category-field.tsx';
import { Conflict } from './conflict.tsx';
import { changedIn, changesOf, clashOf, type DraftField, type MemoryDraft } from './draft.ts';
import { ExpiryField } from './expiry-field.tsx';
import { MetadataField } from './metadata-field.tsx';
import { readMetadata, rowsOf, type TypedMetadata } from './metadata-rows.ts';

type EditorProps = {
  memory: Memory;
  /** The memory as it was found or stored, and what the service says of that. */
  onChange: (memory: Memory, message?: string) => void;
  onClose: () => void;
};

type Clash = { fields: readonly DraftField[]; theirs: Memory; mine: MemoryDraft };

/** Edits a memory; what somebody else stored meanwhile is shown, not overwritten. */
export function Editor(props: EditorProps) {
  const { onClose } = props;
  const { form, clash, busy, problem, save, saveMine } = useEditor(props);
  return (
    <form
      class="editor"
      aria-label="Edit the memory"
      onSubmit={(event) => {
        event.preventDefault();
        if (clash === null && !busy) save();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          event.currentTarget.requestSubmit();
        }
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        if (!form.isTouched()) onClose(); // what was typed takes a press of the button
      }}
    >
      {clash !== null && (
        <Conflict {...clash} busy={busy} onTheirs={onClose} onMine={() => saveMine(clash)} />
      )}
      <Fields {...form} />
      {problem && <p role="alert">{problem}</p>}
      <div class="bar">
        <button class="primary" type="submit" disabled={busy || clash !== null}>
          Save
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}

function useEditor({ memory, onChange, onClose }: EditorProps) {
  const { form, base, setBase } = useForm(memory);
  const [clash, setClash] = useState<Clash | null>(null);
  const { busy, problem, run } = useAction();
  const saveFrom = async (from: MemoryDraft) => {
    const mine = form.read();
    if (changedIn(from, mine).length === 0) return onClose();
    const now = await client.getMemory({ memory_id: memory.id });
    const fields = clashOf(from, now, mine);
    if (fields.length > 0) {
      setClash({ fields, theirs: now, mine });
      onChange(now);
      return;
    }
    const stored = await client.updateMemory({ memory_id: memory.id, ...changesOf(from, mine) });
    onChange(memoryOf(stored), stored.message);
    onClose();
  };
  const saveOver = async ({ theirs }: Clash) => {
    // Over what was shown only: what is changed once more is shown once more.
    const seen = changedIn(base, form.read()).map((field) => [field, theirs[field]]);
    const from = { ...base, ...Object.fromEntries(seen) };
    setBase(from);
    setClash(null);
    await saveFrom(from);
  };
  const save = () => run(() => saveFrom(base));
  const saveMine = (shown: Clash) => run(() => saveOver(shown));
  return { form, clash, busy, problem, save, saveMine };
}

/** The answer repeats the text, and says what the memory does not. */
function memoryOf({ text: _, message: _said, ...memory }: UpdateMemoryOutput): Memory {
  return memory;
}

/** What is typed, and what the memory was when the typing began. */
function useForm(memory: Memory) {
  const [base, setBase] = useState<MemoryDraft>(memory);
  const [text, setText] = useState(base.memory);
  const [categories, setCategories] = useState({
    names: base.categories as readonly string[],
    next: '',
  });
  const [date, setDate] = useState(base.expiration_date ?? '');
  const [metadata, setMetadata] = useState<TypedMetadata>({ rows: rowsOf(base.metadata) });
  const read = (): MemoryDraft => ({
    memory: text,
    categories: namesOf(categories),
    expiration_date: date === '' ? null : date,
    metadata: readMetadata(metadata),
  });
  const isTouched = () => {
    try {
      return changedIn(base, read()).length > 0;
    } catch {
      return true; // it cannot be read yet
    }
  };
  const values = { text, categories, date, metadata };
  const setters = { setText, setCategories, setDate, setMetadata };
  return { form: { ...values, ...setters, read, isTouched }, base, setBase };
}

type FieldsProps = ReturnType<typeof useForm>['form'];

function Fields({ text, categories, date, metadata, ...on }: FieldsProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  return (
    <>
      <textarea
        ref={area}
        aria-label="Text of the memory"
        rows={5}
        dir="auto"
        value={text}
        onInput={(event) => on.setText(event.currentTarget.value)}
      />
      <CategoryField typed={categories} onChange={on.setCategories} />
      <ExpiryField date={date} onChange={on.setDate} />
      <MetadataField typed={metadata} onChange={on.setMetadata} />
    </>
  );
}
