import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { hasDialog } from '../keyboard/use-keys.ts';
import { goTo, place } from '../parts/place.ts';
import { commandsFor, findCommands, type PaletteCommand } from './commands.ts';

/** A search for memories starts after a pause in typing of this many milliseconds. */
const typingMs = 150;

const isOpen = signal(false);

export function openPalette(): void {
  isOpen.value = true;
}

/** Goes anywhere, finds a memory, and does what can be done from everywhere: Ctrl K or ⌘K. */
export function Palette() {
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || event.altKey || event.shiftKey) return;
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      if (!hasDialog()) openPalette();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  return isOpen.value ? <OpenPalette /> : null;
}

function setClosed(): void {
  isOpen.value = false;
}

function OpenPalette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [index, setIndex] = useState(0);
  const start = useRef(place.value);
  const memories = useFound(text);
  const commands = [...commandsFor(text), ...memories];
  const close = () => dialog.current?.close();
  const run = (command: PaletteCommand) => {
    close();
    command.run();
  };
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    if (place.value !== start.current) close(); // Back led elsewhere
  }, [place.value]);
  const current = Math.min(index, commands.length - 1);
  const type = (value: string) => {
    setText(value);
    setIndex(0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setIndex((current + step + commands.length) % Math.max(commands.length, 1));
    }
    if (event.key !== 'Enter') return;
    event.preventDefault(); // it would press the button that has the focus once this is closed
    const command = commands[current];
    if (command !== undefined) run(command);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: beside it; Escape does the same
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Search and commands"
      onClose={setClosed}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <PaletteInput text={text} current={current} onKeyDown={onKeyDown} onText={type} />
      <CommandList commands={commands} current={current} onRun={run} />
      {commands.length === 0 && <p class="quiet">Nothing fits.</p>}
    </dialog>
  );
}

type PaletteInputProps = {
  text: string;
  current: number;
  onText: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

function PaletteInput({ text, current, onText, onKeyDown }: PaletteInputProps) {
  return (
    <input
      type="text"
      role="combobox"
      aria-label="Go to, search, or do"
      aria-expanded="true"
      aria-controls="palette-list"
      aria-activedescendant={current >= 0 ? `palette-${current}` : undefined}
      placeholder="Go to, search memories, ask, or do…"
      autocomplete="off"
      value={text}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}

type CommandListProps = {
  commands: readonly PaletteCommand[];
  current: number;
  onRun: (command: PaletteCommand) => void;
};

function CommandList({ commands, current, onRun }: CommandListProps) {
  return (
    <div id="palette-list" role="listbox" aria-label="Commands" tabIndex={-1}>
      {commands.map((command, index) => (
        <CommandItem
          key={command.key}
          command={command}
          id={`palette-${index}`}
          isChosen={index === current}
          onRun={() => onRun(command)}
        />
      ))}
    </div>
  );
}

type CommandItemProps = {
  command: PaletteCommand;
  id: string;
  isChosen: boolean;
  onRun: () => void;
};

function CommandItem({ command, id, isChosen, onRun }: CommandItemProps) {
  const item = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are those of the field
    <div ref={item} id={id} role="option" aria-selected={isChosen} tabIndex={-1} onClick={onRun}>
      <span class="kind quiet">{command.kind}</span>
      <span dir="auto">{command.title}</span>
    </div>
  );
}

/** Finds memories with the typed words; late answers to an earlier text are dropped. */
function useFound(text: string): PaletteCommand[] {
  const [commands, setCommands] = useState<PaletteCommand[]>([]);
  const words = text.trim();
  useEffect(() => {
    if (words.length < 2) {
      setCommands([]);
      return;
    }
    let isOver = false;
    const timer = setTimeout(async () => {
      const memories = await findCommands(words).catch(() => []); // the rest works without them
      if (isOver) return;
      setCommands(
        memories.map(({ id, memory }) => ({
          key: id,
          kind: 'Memory',
          title: memory.slice(0, 200),
          run: () => goTo('memories', id),
        })),
      );
    }, typingMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [words]);
  return commands;
}
