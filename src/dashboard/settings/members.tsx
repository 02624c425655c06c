import { useState } from 'preact/hooks';
import type { ListedMember } from '../../contract/schemas/member.ts';
import { CallAs } from '../parts/call-as.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { textField } from '../parts/form-fields.ts';
import { Problem, Unread } from '../parts/problem.tsx';
import { client, viewer } from '../parts/session.ts';
import { useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { type MemberRole, RoleChoice, roleNames } from './role-choice.tsx';

type MemberPlace = {
  title: string;
  about: string;
  members: ListedMember[];
  /** Null where this account may only read. */
  change: {
    add: (email: string, role: MemberRole) => Promise<unknown>;
    update: (email: string, role: MemberRole) => Promise<unknown>;
    remove: (email: string) => Promise<unknown>;
  } | null;
};

/** Lists the people who can reach this project or its whole organization, with their roles. */
export function Members() {
  const { value, problem, reload } = useLoaded(readMembers, '');
  if (value === null) return <Unread problem={problem} reload={reload} />;
  return (
    <>
      <p class="quiet">
        A reader sees everything; an owner also changes it. People whom the owner of the store adds,
        or who share an organization with you, are members at once. Others are invited, and reach
        nothing until they accept. mneme sends no mail: tell them to sign in here with a key of
        theirs, or to run <code>mneme invitations list</code>.
      </p>
      <Problem problem={problem} reload={reload} />
      {value.map((group) => (
        <MemberList key={group.title} group={group} onChanged={reload} />
      ))}
      <CallAs operation="list_project_members" input={placeOfViewer()} />
    </>
  );
}

function placeOfViewer() {
  const { org_id = '', project_id = '' } = viewer.value ?? {};
  return { org_id, project_id };
}

async function readMembers(): Promise<MemberPlace[]> {
  const project = placeOfViewer();
  const { org_id } = project;
  const { results } = await client.listOrganizations();
  const organization = results.find((one) => one.org_id === org_id);
  const { members } = await client.listProjectMembers(project);
  const ofProject: MemberPlace = {
    title: 'This project',
    about: 'These roles hold here only.',
    members,
    change: viewer.value?.mayWrite === true ? projectChanges(project) : null,
  };
  if (organization === undefined) return [ofProject];
  const page = await client.listOrganizationMembers({ org_id });
  const mayWrite = viewer.value?.keyWrites === true && organization.user_role === 'OWNER';
  const ofAll: MemberPlace = {
    title: `All projects of ${organization.name}`,
    about: 'These roles hold in the whole organization.',
    members: page.members,
    change: mayWrite ? organizationChanges(org_id) : null,
  };
  return [ofProject, ofAll];
}

function projectChanges(project: { org_id: string; project_id: string }): MemberPlace['change'] {
  return {
    add: (email, role) => client.addProjectMember({ ...project, email, role }),
    update: (email, role) => client.updateProjectMember({ ...project, email, role }),
    remove: (email) => client.removeProjectMember({ ...project, email }),
  };
}

function organizationChanges(org_id: string): MemberPlace['change'] {
  return {
    add: (email, role) => client.addOrganizationMember({ org_id, email, role }),
    update: (email, role) => client.updateOrganizationMember({ org_id, email, role }),
    remove: (email) => client.removeOrganizationMember({ org_id, email }),
  };
}

type ListProps = { group: MemberPlace; onChanged: () => Promise<void> };

function MemberList({ group: { title, about, members, change }, onChanged }: ListProps) {
  const { busy, problem, run } = useAction();
  return (
    <article class="card" aria-label={title}>
      <h3 dir="auto">{title}</h3>
      <p class="quiet">{about}</p>
      {problem && <p role="alert">{problem}</p>}
      {members.length === 0 && <p>Nobody has a role of their own here.</p>}
      <ul class="rows">
        {members.map((member) => (
          <li key={member.email}>
            <span class="grow">
              <span dir="auto">{member.email}</span>
              {member.status === 'invited' && <span class="tag">invited</span>}
            </span>
            {change === null ? (
              <span class="quiet">{roleNames[member.role]}</span>
            ) : (
              <MemberActions
                member={member}
                busy={busy}
                onRole={(role) => run(() => change.update(member.email, role).then(onChanged))}
                onRemove={() => change.remove(member.email).then(onChanged)}
              />
            )}
          </li>
        ))}
      </ul>
      {change !== null && (
        <NewMember
          busy={busy}
          onAdd={(email, role, onAdded) =>
            run(async () => {
              await change.add(email, role);
              onAdded();
              await onChanged();
            })
          }
        />
      )}
    </article>
  );
}

type MemberActionsProps = {
  member: ListedMember;
  busy: boolean;
  onRole: (role: MemberRole) => void;
  onRemove: () => Promise<void>;
};

function MemberActions({ member, busy, onRole, onRemove }: MemberActionsProps) {
  const { email, role, status } = member;
  const isInvited = status === 'invited';
  const word = isInvited ? 'Withdraw' : 'Remove';
  return (
    <>
      <RoleChoice label={`Role of ${email}`} value={role} disabled={busy} onChoose={onRole} />
      <Confirm
        label={word}
        title={isInvited ? `Withdraw the invitation of ${email}?` : `Remove ${email}?`}
        confirm={word}
        onConfirm={onRemove}
      />
    </>
  );
}

type NewMemberProps = {
  busy: boolean;
  onAdd: (email: string, role: MemberRole, onAdded: () => void) => void;
};

function NewMember({ busy, onAdd }: NewMemberProps) {
  const [role, setRole] = useState<MemberRole>('READER');
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        onAdd(textField(new FormData(form), 'email'), role, () => {
          form.reset();
          setRole('READER');
        });
      }}
    >
      <input type="email" name="email" aria-label="E-mail" placeholder="E-mail" required />
      <RoleChoice label="Role" value={role} disabled={busy} onChoose={setRole} />
      <button type="submit" disabled={busy}>
        Add
      </button>
    </form>
  );
}
