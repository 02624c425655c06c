import { useState } from 'preact/hooks';
import type { CreateKeyInput, ListKeysOutput } from '../../client.ts';
import { CallAs } from '../parts/call-as.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { client, viewer } from '../parts/session.ts';
import { minuteOf } from '../parts/times.ts';
import { useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { optionalField } from './form-fields.ts';
import { Secret } from './secret.tsx';

/** The keys of the account, or of the whole store for its owner. */
export function Keys() {
  const { value, problem, reload } = useLoaded(async () => client.listKeys(), '');
  const [made, setMade] = useState<{ name: string; key: string } | null>(null);
  if (value === null) return <p>{problem || 'Loading…'}</p>;
  const mayMake = viewer.value?.mayWrite === true;
  return (
    <>
      <p class="quiet">
        A key is what a program signs in with. The store keeps its hash only. A revoked key stops
        working within five seconds.
      </p>
      {problem && <p role="alert">{problem}</p>}
      {made !== null && (
        <Secret label={`The key “${made.name}”`} secret={made.key} onDone={() => setMade(null)} />
      )}
      {mayMake && (
        <NewKey
          onCreate={async (input) => {
            const { name, key } = await client.createKey(input);
            setMade({ name, key });
            await reload();
          }}
        />
      )}
      <ul class="rows card" aria-label="Keys">
        {value.results.map((key) => (
          <KeyRow key={key.key_id} about={key} onRevoked={reload} />
        ))}
      </ul>
      <CallAs operation="create_key" input={{ name: 'ci', read_only: true, expires_in_days: 90 }} />
    </>
  );
}

function KeyRow({
  about,
  onRevoked,
}: {
  about: ListKeysOutput['results'][number];
  onRevoked: () => Promise<void>;
}) {
  const { key_id, name, prefix, account, read_only, project_id, org_id } = about;
  const { expires_at, revoked_at, last_used_at } = about;
  const hasEnded = expires_at !== null && expires_at <= new Date().toISOString();
  const reach = project_id !== null ? 'one project' : org_id !== null ? 'one organization' : null;
  return (
    <li class={revoked_at !== null || hasEnded ? 'ended' : undefined}>
      <span class="grow">
        <strong dir="auto">{name}</strong> <code>{prefix}…</code>
        {read_only && <span class="tag">read only</span>}
        {reach !== null && <span class="tag">{reach}</span>}
        {revoked_at !== null && <span class="tag">revoked</span>}
        {hasEnded && <span class="tag">expired</span>}
        <span class="quiet line">
          {account} · {last_used_at === null ? 'never used' : `used ${minuteOf(last_used_at)}`}
          {expires_at !== null && ` · until ${minuteOf(expires_at)}`}
        </span>
      </span>
      {revoked_at === null && viewer.value?.keyWrites === true && (
        <Confirm
          label="Revoke"
          title={`Revoke the key “${name}”?`}
          confirm="Revoke it"
          keep="Keep it"
          onConfirm={async () => {
            await client.revokeKey({ key_id });
            await onRevoked();
          }}
        >
          <p>Programs that use it are refused from now on. If you signed in with it, so are you.</p>
        </Confirm>
      )}
    </li>
  );
}

function NewKey({ onCreate }: { onCreate: (input: CreateKeyInput) => Promise<void> }) {
  const { busy, problem, run } = useAction();
  return (
    <form
      class="card form"
      aria-label="New key"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        run(async () => {
          await onCreate(inputOf(new FormData(form)));
          form.reset();
        });
      }}
    >
      <label class="field">
        Name
        <input name="name" required maxLength={255} placeholder="ci, laptop, agent" />
      </label>
      {viewer.value?.hasStore === true && (
        <label class="field">
          Whose
          <input type="email" name="email" placeholder="yours, or an e-mail" />
        </label>
      )}
      <label class="field">
        Ends after
        <select name="expires_in_days">
          <option value="">never</option>
          <option value="30">30 days</option>
          <option value="90">90 days</option>
          <option value="365">a year</option>
        </select>
      </label>
      <label class="check">
        <input type="checkbox" name="read_only" /> It may only read
      </label>
      <label class="check">
        <input type="checkbox" name="bound" /> It reaches this project only
      </label>
      {problem && <p role="alert">{problem}</p>}
      <button class="primary" type="submit" disabled={busy}>
        Create a key
      </button>
    </form>
  );
}

function inputOf(data: FormData): CreateKeyInput {
  const days = Number(data.get('expires_in_days'));
  return {
    ...optionalField(data, 'name'),
    ...optionalField(data, 'email'),
    ...(days > 0 && { expires_in_days: days }),
    ...(data.has('bound') && { reach: 'project' as const }),
    read_only: data.has('read_only'),
  };
}
