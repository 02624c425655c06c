import { errorStatus } from '../../contract/errors.ts';
import { shortIdOf } from '../../contract/short-id.ts';
import type { Output } from '../../contract.ts';
import { Ago } from '../parts/ago.tsx';
import { CallAs } from '../parts/call-as.tsx';
import { Pages, pageInPlace } from '../parts/pages.tsx';
import { linkTo, place, setParams } from '../parts/place.ts';
import { Problem } from '../parts/problem.tsx';
import { Scroll } from '../parts/scroll.tsx';
import { client } from '../parts/session.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { AddressChoice, chosenOf } from './address-choice.tsx';
import { callerName, useKeyNames } from './key-names.ts';

const pageSize = 100;
const outcomes = Object.fromEntries(['ok', ...Object.keys(errorStatus)].map((one) => [one, one]));

/** Lists calls: the caller, the operation and the outcome. */
export function Audit() {
  const { operation = '' } = place.value.params;
  const outcome = chosenOf('outcome', outcomes);
  const input = {
    ...(operation !== '' && { operation }),
    ...(outcome !== undefined && { outcome }),
    page: pageInPlace(),
    page_size: pageSize,
  };
  const read = async () => client.listAudit(input);
  const { value, problem, reload } = useLoaded(read, JSON.stringify(input));
  if (value?.enabled === false && value.total === 0 && !operation && !outcome) {
    return <AuditOff />;
  }
  return (
    <>
      {value?.enabled === false && (
        <p>It is off now, so new calls are not recorded. Earlier entries are listed below.</p>
      )}
      <div class="bar">
        <label class="labelled">
          Operation
          <input
            type="search"
            value={operation}
            placeholder="all"
            onChange={({ currentTarget }) =>
              setParams({ operation: currentTarget.value.trim() || undefined, page: undefined })
            }
          />
        </label>
        <AddressChoice label="Outcome" name="outcome" any="any" options={outcomes} />
        <button type="button" onClick={() => void reload()}>
          Look again
        </button>
      </div>
      <Problem problem={problem} reload={reload} />
      {value === null && !problem && <p>Loading…</p>}
      {value?.total === 0 && <p class="empty">No call of the kind is recorded.</p>}
      {value !== null && value.total > 0 && (
        <>
          <p class="quiet">{value.total.toLocaleString('en')} calls; no text is kept.</p>
          <AuditTable entries={value.results} />
          <Pages total={value.total} page_size={pageSize} />
        </>
      )}
      <CallAs operation="list_audit" input={input} />
    </>
  );
}

function AuditOff() {
  return (
    <div class="empty">
      <h2>The audit log is off</h2>
      <p>
        Start the server with <code>--audit</code> (or <code>MNEME_AUDIT=true</code>) and it records
        each call: who, what, which records, when and with what outcome. No text is recorded.
      </p>
      <p>
        <code>MNEME_AUDIT_KEY</code> seals the entries, and <code>mneme audit verify</code> checks
        them.
      </p>
    </div>
  );
}

function AuditTable({ entries }: { entries: Output<'list_audit'>['results'] }) {
  const names = useKeyNames();
  return (
    <Scroll label="Calls">
      <table>
        <thead>
          <tr>
            {['When', 'Who', 'Operation', 'About', 'Outcome'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map(({ hash, created_at, key_id, operation, ids, outcome }) => (
            <tr key={hash}>
              <td>
                <Ago instant={created_at} exact />
              </td>
              <td dir="auto">{key_id === null ? 'without a key' : callerName(key_id, names)}</td>
              <td>
                <code>{operation}</code>
              </td>
              <td>{aboutOf(operation, ids)}</td>
              <td>
                <span class={`tag ${outcome === 'ok' ? 'good' : 'FAILED'}`}>{outcome}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function aboutOf(operation: string, ids: readonly string[]) {
  const [id] = ids;
  if (id === undefined) return null;
  const isOfMemory = /^(get|update|delete)_memory$/.test(operation) && ids.length === 1;
  const text = <span class="id">{shortIdOf(id)}</span>;
  return (
    <>
      {isOfMemory ? <a href={linkTo('memories', id)}>{text}</a> : text}
      {ids.length > 1 && <span class="quiet"> and {ids.length - 1} more</span>}
    </>
  );
}
