import './import.css';
import type { ComponentChildren } from 'preact';
import { formatCount } from '../../contract/format-count.ts';
import { describeLeftOut } from '../../conversations/left-out.ts';
import { EntityInput } from '../owners/entity-input.tsx';
import { textField } from '../parts/form-fields.ts';
import { linkTo, pastDay } from '../parts/place.ts';
import { viewer } from '../parts/session.ts';
import { DropZone } from './drop-zone.tsx';
import {
  forgetImport,
  type ImportRun,
  type ImportTotals,
  importRun,
  runOrResume,
  startImport,
  stopImport,
  takeFile,
} from './import-run.ts';
import type { ConversationsFile, RecognizedFile } from './recognize-file.ts';

/** A file is looked at before anything of it is stored. */
export function ImportFile() {
  const run = importRun.value;
  if (viewer.value?.mayWrite !== true) return <p>Only an owner may import.</p>;
  if (pastDay.value !== null) return <p>Nothing can be imported into the past.</p>;
  if (run === null) {
    return (
      <>
        <DropZone onFile={(file) => void takeFile(file)} />
        <p class="quiet">
          Everything counts as imported here. Your own export comes back as it was, with its sources
          and settings, by <code>mneme import --trust FILE</code>.
        </p>
      </>
    );
  }
  return (
    <article class="card import" aria-label="Import">
      <h3 dir="auto">{run.name}</h3>
      {run.file !== null && <p>{describeFile(run.file)}</p>}
      <Phase run={run} />
      <Problems {...run.totals} />
    </article>
  );
}

function Phase({ run }: { run: ImportRun }) {
  switch (run.phase) {
    case 'reading':
      return <p role="status">Reading…</p>;
    case 'checking':
      return <Progress run={run} label="Checking" />;
    case 'ready':
      return <Ready run={run} />;
    case 'running':
      return (
        <>
          <Progress run={run} label="Importing" />
          <button type="button" onClick={stopImport}>
            Stop
          </button>
        </>
      );
    case 'stopped':
      return <Stopped run={run} />;
    case 'done':
      return (
        <>
          <p role="status">{describeTotals(run.totals)}</p>
          <Buttons>
            <a class="button primary" href={linkTo('memories')}>
              See the memories
            </a>
          </Buttons>
        </>
      );
  }
}

function Progress({ run: { file, doneCount }, label }: { run: ImportRun; label: string }) {
  const total = file === null ? 0 : sizeOf(file);
  return (
    <p>
      <progress aria-label={label} max={Math.max(total, 1)} value={doneCount} />{' '}
      <span class="quiet">
        {label}: {doneCount.toLocaleString('en')} of {total.toLocaleString('en')}
      </span>
    </p>
  );
}

function Ready({ run: { file, totals } }: { run: ImportRun }) {
  if (file === null) return null;
  const isMneme = file.format === 'mneme';
  return (
    <form
      class="import-choices"
      aria-label="Import"
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        const user_id = textField(data, 'user_id');
        void startImport({ user_id, verbatim: data.has('verbatim') });
      }}
    >
      {isMneme && <p>{describeExpected(totals)}</p>}
      {!isMneme && (
        <div class="field">
          Whose memories they become
          <EntityInput type="user" label="User" anybody="a user, such as ada" required />
        </div>
      )}
      {file.format === 'conversations' && (
        <label class="check">
          <input type="checkbox" name="verbatim" /> Keep each message as it is, instead of the facts
          in it
        </label>
      )}
      <Buttons>
        <button class="primary" type="submit">
          Import
        </button>
      </Buttons>
    </form>
  );
}

function Stopped({ run: { file, problem } }: { run: ImportRun }) {
  return (
    <>
      <p role="alert">{problem || 'Stopped. What was imported so far stays.'}</p>
      <Buttons>
        {file !== null && (
          <button class="primary" type="button" onClick={() => void runOrResume()}>
            Go on
          </button>
        )}
      </Buttons>
    </>
  );
}

function Buttons({ children }: { children: ComponentChildren }) {
  return (
    <div class="bar">
      {children}
      <button type="button" onClick={forgetImport}>
        Another file
      </button>
    </div>
  );
}

function Problems({ refused, problems }: ImportTotals) {
  if (refused === 0) return null;
  const more = refused - problems.length;
  return (
    <details open>
      <summary>{formatCount(refused, 'line', 'lines')} left out</summary>
      <ul class="quiet">
        {problems.map((problem, at) => (
          <li key={at} dir="auto">
            {problem}
          </li>
        ))}
      </ul>
      {more > 0 && <p class="quiet">and {more.toLocaleString('en')} more</p>}
    </details>
  );
}

function sizeOf(file: RecognizedFile): number {
  return file.format === 'conversations' ? file.chats.length : file.lines.length;
}

const sourceNames: Readonly<Record<string, string>> = {
  chatgpt: 'ChatGPT',
  claude: 'Claude',
  gemini: 'Gemini',
};

function describeFile(file: RecognizedFile): string {
  const size = sizeOf(file);
  if (file.format !== 'conversations') {
    const kind = file.format === 'mneme' ? 'An export of mneme' : 'A graph of server-memory';
    return `${kind}: ${formatCount(size, 'line', 'lines')}.`;
  }
  return describeChats(file);
}

function describeChats({ chats, strays, left_out }: ConversationsFile): string {
  const turns = chats.reduce((sum, chat) => sum + chat.turns.length, 0);
  const source = sourceNames[chats[0]?.source ?? ''];
  const size = [
    `${formatCount(chats.length, 'conversation', 'conversations')}${source ? ` with ${source}` : ''}`,
    formatCount(turns, 'message', 'messages'),
  ].join(', ');
  const extras = [
    ...(strays > 0 ? [formatCount(strays, 'other entry', 'other entries')] : []),
    describeLeftOut(left_out),
  ].filter((text) => text !== '');
  return extras.length === 0 ? `${size}.` : `${size}. Left out: ${extras.join(', ')}.`;
}

function describeExpected({ added, updated, unchanged }: ImportTotals): string {
  const parts = [
    formatCount(added, 'new memory', 'new memories'),
    ...(updated > 0 ? [`${updated.toLocaleString('en')} changed`] : []),
    ...(unchanged > 0 ? [`${unchanged.toLocaleString('en')} known already`] : []),
  ];
  return `It holds ${parts.join(', ')}.`;
}

function describeTotals({ added, updated, unchanged, redacted, not_trusted }: ImportTotals) {
  const parts = [
    `${formatCount(added, 'memory', 'memories')} added`,
    `${updated.toLocaleString('en')} changed`,
    `${unchanged.toLocaleString('en')} known already`,
  ];
  const secrets =
    redacted > 0 ? ` Secrets were removed from ${formatCount(redacted, 'line', 'lines')}.` : '';
  const trust =
    not_trusted > 0
      ? ` ${formatCount(not_trusted, 'memory counts', 'memories count')} as imported only.`
      : '';
  return `${parts.join(', ')}.${secrets}${trust}`;
}
