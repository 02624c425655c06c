import './import.css';
import { useEffect, useState } from 'preact/hooks';

/** A file to drop or to choose. A file that misses it does not replace the page. */
export function DropZone({ onFile }: { onFile: (file: File) => void }) {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const stay = (event: DragEvent) => event.preventDefault();
    addEventListener('dragover', stay);
    addEventListener('drop', stay);
    return () => {
      removeEventListener('dragover', stay);
      removeEventListener('drop', stay);
    };
  }, []);
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file !== undefined) onFile(file);
  };
  return (
    <label
      class={isOver ? 'drop-zone over' : 'drop-zone'}
      onDragOver={() => setIsOver(true)}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <strong>Drop a file here, or choose one</strong>
      <span class="quiet">
        Conversations with ChatGPT, Claude or Gemini (the ZIP archive as it is), Markdown or JSON; a
        file of server-memory; an export of mneme.
      </span>
      <input
        type="file"
        accept=".zip,.json,.jsonl,.ndjson,.md,.markdown,.txt"
        onChange={({ currentTarget }) => take(currentTarget.files)}
      />
    </label>
  );
}
