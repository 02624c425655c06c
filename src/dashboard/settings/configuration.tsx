import { useState } from 'preact/hooks';
import type { Output } from '../../contract.ts';
import { CallAs } from '../parts/call-as.tsx';
import { place, setParams } from '../parts/place.ts';
import { Unread } from '../parts/problem.tsx';
import { Scroll } from '../parts/scroll.tsx';
import { client, viewer } from '../parts/session.ts';
import { useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';

/** Shows the options of the server, and makes a backup of its store. */
export function Configuration() {
  const { value, problem, reload } = useLoaded(async () => client.getConfiguration(), '');
  const { query: words = '', all } = place.value.params;
  if (value === null) return <Unread problem={problem} reload={reload} />;
  const rows = Object.entries(value.values).filter(
    ([name]) =>
      name.includes(words.trim().toLowerCase()) &&
      (all !== undefined || words !== '' || (value.sources[name] ?? 'default') !== 'default'),
  );
  return (
    <>
      {viewer.value?.keyWrites === true && <Backup />}
      <h3>Configuration</h3>
      <p class="quiet">
        mneme {value.version}. Flags go over the environment, the environment over files, files over
        defaults. Secrets are masked.
      </p>
      <div class="bar">
        <input
          type="search"
          aria-label="Option"
          placeholder="Option  ( / )"
          value={words}
          onInput={({ currentTarget }) =>
            setParams({ query: currentTarget.value || undefined }, { replace: true })
          }
        />
        <label class="check">
          <input
            type="checkbox"
            checked={all !== undefined}
            onChange={({ currentTarget }) =>
              setParams({ all: currentTarget.checked ? 'true' : undefined })
            }
          />{' '}
          Also defaults
        </label>
      </div>
      <OptionTable rows={rows} sources={value.sources} />
      {rows.length === 0 && (
        <p class="quiet">
          {words === '' ? 'Every option has its default.' : 'No option has this in its name.'}
        </p>
      )}
      <CallAs operation="get_configuration" input={{}} />
    </>
  );
}

type OptionTableProps = {
  rows: [name: string, value: unknown][];
  sources: Output<'get_configuration'>['sources'];
};

function OptionTable({ rows, sources }: OptionTableProps) {
  return (
    <Scroll label="Options">
      <table>
        <thead>
          <tr>
            <th scope="col">Option</th>
            <th scope="col">Value</th>
            <th scope="col">Set by</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, option]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <code>{JSON.stringify(option)}</code>
              </td>
              <td class="quiet">{sources[name] ?? 'default'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** What the copy is, before the command that brings it back. */
const aboutBackup =
  'Copies the store into a file beside it while everybody goes on working. Bring it back with ';

function Backup() {
  const [backup, setBackup] = useState<Output<'create_backup'> | null>(null);
  const { busy, problem, run } = useAction();
  return (
    <article class="card" aria-label="Backup">
      <h3>Backup</h3>
      <p class="quiet">
        {aboutBackup}
        <code>mneme restore FILE</code>. What is erased later stays in earlier backups.
      </p>
      {problem && <p role="alert">{problem}</p>}
      {backup !== null && (
        <p role="status">
          Wrote <code>{backup.file}</code>, {backup.bytes.toLocaleString('en')} bytes.
        </p>
      )}
      <button
        type="button"
        disabled={busy}
        onClick={() => run(async () => setBackup(await client.createBackup()))}
      >
        {busy ? 'Copying…' : 'Back up now'}
      </button>
    </article>
  );
}
