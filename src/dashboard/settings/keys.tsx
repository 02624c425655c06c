import { useState } from 'preact/hooks';
import type { Sent } from '../../client/operations.ts';
import { limits } from '../../contract/limits.ts';
import type { Output } from '../../contract.ts';
import { CallAs } from '../parts/call-as.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { optionalField } from '../parts/form-fields.ts';
import { linkTo } from '../parts/place.ts';
import { Problem, Unread } from '../parts/problem.tsx';
import { client, viewer } from '../parts/session.ts';
import { minuteOf } from '../parts/times.ts';
import { useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Secret } from './secret.tsx';

/** The keys of the account, or of the whole store for its owner. */
export function Keys() {
  const { value, problem, reload } = useLoaded(async () => client.listKeys(), '');
  const [newKey, setNewKey] = useState<Output<'create_key'> | null>(null);
  if (value === null) return <Unread problem={problem} reload={reload} />;
  const mayMake = viewer.value?.mayWrite === true;
  return (
    <>
      <p class="quiet">
        A key is what a program signs in with. The store keeps its hash only. A revoked key stops
        working within five seconds.
      </p>
      <Problem problem={problem} reload={reload} />
      {newKey !== null && (
        <>
          <Secret
            label={`The key “${newKey.name}”`}
            secret={newKey.key}
            onDone={() => setNewKey(null)}
          />
          <Outsider key={newKey.key_id} email={newKey.account} />
        </>
      )}
      {mayMake && (
        <NewKey
          onCreate={async (input) => {
            setNewKey(await client.createKey(input));
            void reload(); // the key is shown meanwhile; failures are kept in `problem`
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

/** Says that a key is useless here if its account has no role. */
function Outsider({ email }: { email: string }) {
  const { value } = useLoaded(async () => email === viewer.value?.email || hasRole(email), email);
  if (value !== false) return null;
  return (
    <p role="alert">
      <bdi>{email}</bdi> has no role in this project or its organization: the key opens nothing here
      until they are a member. <a href={linkTo('settings', 'members')}>Members</a> adds them.
    </p>
  );
}

async function hasRole(email: string): Promise<boolean> {
  const { org_id = '', project_id = '' } = viewer.value ?? {};
  const places = await Promise.all([
    client.listProjectMembers({ org_id, project_id }),
    client.listOrganizationMembers({ org_id }),
  ]);
  return places
    .flatMap(({ members }) => members)
    .some((member) => member.email === email && member.status !== 'invited');
}

function KeyRow({
  about,
  onRevoked,
}: {
  about: Output<'list_keys'>['results'][number];
  onRevoked: () => Promise<void>;
}) {
  const { key_id, name, prefix, account, read_only, project_id, org_id } = about;
  const { created_at, expires_at, revoked_at, last_used_at } = about;
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
          {account} · made {minuteOf(created_at)} ·{' '}
          {last_used_at === null ? 'never used' : `used ${minuteOf(last_used_at)}`}
          {expires_at !== null && ` · until ${minuteOf(expires_at)}`}
          {revoked_at !== null && ` · ended ${minuteOf(revoked_at)}`}
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

function NewKey({ onCreate }: { onCreate: (input: Sent<'create_key'>) => Promise<void> }) {
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
        Ends after days
        <input
          type="number"
          name="expires_in_days"
          min={1}
          max={limits.key_days_max}
          placeholder="never"
        />
      </label>
      <Reach />
      <label class="check">
        <input type="checkbox" name="read_only" /> It may only read
      </label>
      {problem && <p role="alert">{problem}</p>}
      <button class="primary" type="submit" disabled={busy}>
        Create a key
      </button>
    </form>
  );
}

function Reach() {
  return (
    <label class="field">
      Reaches
      <select name="reach">
        {Object.entries(reaches).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

const reaches = {
  account: 'all that its account does',
  organization: 'this organization',
  project: 'this project',
};

function inputOf(data: FormData): Sent<'create_key'> {
  const days = Number(data.get('expires_in_days'));
  const reach = (['organization', 'project'] as const).find((one) => one === data.get('reach'));
  return {
    ...optionalField(data, 'name'),
    ...optionalField(data, 'email'),
    ...(days > 0 && { expires_in_days: days }),
    ...(reach !== undefined && { reach }),
    read_only: data.has('read_only'),
  };
}
