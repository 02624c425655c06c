import type { Output } from '../../contract.ts';
import { Ago } from '../parts/ago.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Problem } from '../parts/problem.tsx';
import { client } from '../parts/session.ts';
import { useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { roleNames } from './role-choice.tsx';

/** The size of one page is enough, as an account has few. */
const listedMax = 100;

type InvitationsProps = {
  /** The text if there are none; without it nothing is shown. */
  none?: string;
  /** False for a key that only reads, whose answers are refused. */
  mayAnswer?: boolean;
  onAccepted: () => void;
};

/** Lists invitations; the account can reach a project only after it accepts. */
export function Invitations({ none = '', mayAnswer = true, onAccepted }: InvitationsProps) {
  const read = async () => client.listInvitations({ page_size: listedMax });
  const { value, problem, reload } = useLoaded(read, '');
  const { busy, problem: refusal, run } = useAction();
  const invitations = value?.results ?? [];
  const accept = async (org_id: string) => {
    await client.acceptInvitation({ org_id });
    await reload();
    onAccepted();
  };
  if (problem) return <Problem problem={problem} reload={reload} />;
  if (invitations.length === 0) {
    return value !== null && none !== '' ? <p class="empty">{none}</p> : null;
  }
  return (
    <article class="card" aria-label="Invitations">
      <h3>Invitations</h3>
      <p class="quiet">
        An answer counts for the organization and all its projects that invite you.
      </p>
      {refusal && <p role="alert">{refusal}</p>}
      <ul class="rows">
        {invitations.map((invitation) => (
          <li key={JSON.stringify([invitation.org_id, invitation.project_id])}>
            <Place invitation={invitation} />
            {mayAnswer && (
              <>
                <button
                  type="button"
                  class="primary"
                  disabled={busy}
                  aria-label={`Accept ${nameOf(invitation)}`}
                  onClick={() => run(() => accept(invitation.org_id))}
                >
                  Accept
                </button>
                <Decline invitation={invitation} onDeclined={reload} />
              </>
            )}
          </li>
        ))}
      </ul>
    </article>
  );
}

type ListedInvitation = Output<'list_invitations'>['results'][number];

function nameOf({ organization_name, project_name }: ListedInvitation): string {
  return project_name === null ? organization_name : `${project_name} of ${organization_name}`;
}

function Place({ invitation }: { invitation: ListedInvitation }) {
  const { project_name, role, created_at } = invitation;
  return (
    <span class="grow">
      <strong dir="auto">{nameOf(invitation)}</strong>
      <span class="quiet line">
        {project_name === null ? 'the whole organization' : 'one project'}, as{' '}
        {roleNames[role].toLowerCase()} · <Ago instant={created_at} />
      </span>
    </span>
  );
}

type DeclineProps = { invitation: ListedInvitation; onDeclined: () => Promise<void> };

function Decline({ invitation: { org_id, organization_name }, onDeclined }: DeclineProps) {
  return (
    <Confirm
      label="Decline"
      title={`Decline what ${organization_name} offers?`}
      confirm="Decline it"
      keep="Keep it"
      onConfirm={() => client.declineInvitation({ org_id }).then(onDeclined)}
    >
      <p>Its invitations go away, also those to its projects. An owner may invite you again.</p>
    </Confirm>
  );
}
