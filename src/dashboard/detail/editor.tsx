import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Memory } from '../../contract/schemas/memory.ts';
import type { Output } from '../../contract.ts';
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
  const { form, clash, busy, problem, save, saveMine, close } = useEditor(props);
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
        if (!form.isTouched) close(); // what was typed takes a press of the button
      }}
    >
      {clash !== null && (
        <Conflict {...clash} busy={busy} onTheirs={close} onMine={() => saveMine(clash)} />
      )}
      <Fields input={form.input} set={form.set} />
      {problem && <p role="alert">{problem}</p>}
      <div class="bar">
        <button class="primary" type="submit" disabled={busy || clash !== null}>
          Save
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
}

function useEditor({ memory, onChange, onClose }: EditorProps) {
  const form = useForm(memory);
  const close = () => {
    keptDrafts.delete(memory.id);
    onClose();
  };
  const [clash, setClash] = useState<Clash | null>(null);
  const { busy, problem, run } = useAction();
  const saveFrom = async (from: MemoryDraft) => {
    const draft = draftOf(form.input);
    if (changedIn(from, draft).length === 0) return close();
    const now = await client.getMemory({ memory_id: memory.id });
    const fields = clashOf(from, now, draft);
    if (fields.length > 0) {
      setClash({ fields, theirs: now, mine: draft });
      onChange(now);
      return;
    }
    const answer = await client.updateMemory({ memory_id: memory.id, ...changesOf(from, draft) });
    onChange(memoryOf(answer), answer.message);
    close();
  };
  const saveOver = async ({ theirs }: Clash) => {
    // This overwrites only the values that were shown; a newer change is shown first.
    const values = changedIn(form.base, draftOf(form.input)).map((field) => [field, theirs[field]]);
    const from = { ...form.base, ...Object.fromEntries(values) };
    form.setBase(from);
    setClash(null);
    await saveFrom(from);
  };
  const save = () => run(() => saveFrom(form.base));
  const saveMine = (conflict: Clash) => run(() => saveOver(conflict));
  return { form, clash, busy, problem, save, saveMine, close };
}

/** The memory in an answer, which also repeats the text and adds a message. */
function memoryOf({ text: _, message: _message, ...memory }: Output<'update_memory'>): Memory {
  return memory;
}

/** What the fields hold while somebody types. */
type TypedDraft = {
  text: string;
  categories: { names: readonly string[]; next: string };
  date: string;
  metadata: TypedMetadata;
};

/** The input so far, and the memory at the time when the editing began. */
type KeptDraft = { base: MemoryDraft; input: TypedDraft };

/** Unsaved input by the id of its memory: it is still there after a look at another memory. */
const keptDrafts = new Map<string, KeptDraft>();

export function hasDraft({ id }: Memory): boolean {
  return keptDrafts.has(id);
}

function typedFrom({ memory: text, categories, expiration_date, metadata }: Memory): TypedDraft {
  return {
    text,
    categories: { names: categories, next: '' },
    date: expiration_date ?? '',
    metadata: { rows: rowsOf(metadata) },
  };
}

function draftOf({ text, categories, date, metadata }: TypedDraft): MemoryDraft {
  return {
    memory: text,
    categories: namesOf(categories),
    expiration_date: date === '' ? null : date,
    metadata: readMetadata(metadata),
  };
}

function isTouched({ base, input }: KeptDraft): boolean {
  try {
    return changedIn(base, draftOf(input)).length > 0;
  } catch {
    return true; // it cannot be read yet
  }
}

function useForm(memory: Memory) {
  const { id } = memory;
  const [draft, setDraft] = useState<KeptDraft>(
    () => keptDrafts.get(id) ?? { base: memory, input: typedFrom(memory) },
  );
  const hasChanges = isTouched(draft);
  useLayoutEffect(() => {
    if (hasChanges) keptDrafts.set(id, draft);
    else keptDrafts.delete(id);
  });
  return {
    ...draft,
    isTouched: hasChanges,
    set: (change: Partial<TypedDraft>) =>
      setDraft(({ base, input }) => ({ base, input: { ...input, ...change } })),
    setBase: (base: MemoryDraft) => setDraft(({ input }) => ({ base, input })),
  };
}

type FieldsProps = { input: TypedDraft; set: (change: Partial<TypedDraft>) => void };

function Fields({ input, set }: FieldsProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  return (
    <>
      <textarea
        ref={area}
        aria-label="Text of the memory"
        rows={5}
        dir="auto"
        value={input.text}
        onInput={(event) => set({ text: event.currentTarget.value })}
      />
      <CategoryField input={input.categories} onChange={(categories) => set({ categories })} />
      <ExpiryField date={input.date} onChange={(date) => set({ date })} />
      <MetadataField input={input.metadata} onChange={(metadata) => set({ metadata })} />
    </>
  );
}
