import type { ListedMember } from '../../client.ts';
import { CallAs } from '../parts/call-as.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { client, viewer } from '../parts/session.ts';
import { useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { textField } from './form-fields.ts';

type MemberRole = ListedMember['role'];
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

/** Who reaches this project, by itself or through its organization, and as what. */
export function Members() {
  const { value, problem, reload } = useLoaded(readMembers, '');
  if (value === null) return <p>{problem || 'Loading…'}</p>;
  const refresh = async () => reload();
  return (
    <>
      <p class="quiet">
        A reader sees everything; an owner also changes it. Somebody whom you do not share an
        organization with is invited, and reaches nothing until they accept.
      </p>
      {problem && <p role="alert">{problem}</p>}
      {value.map((place) => (
        <MemberList key={place.title} place={place} onChanged={refresh} />
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
  const all = await client.listOrganizationMembers({ org_id });
  const mayWrite = viewer.value?.keyWrites === true && organization.user_role === 'OWNER';
  const ofAll: MemberPlace = {
    title: `All projects of ${organization.name}`,
    about: 'These roles hold in the whole organization.',
    members: all.members,
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

type ListProps = { place: MemberPlace; onChanged: () => Promise<void> };

function MemberList({ place: { title, about, members, change }, onChanged }: ListProps) {
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
                onRole={(role) => run(() => change.update(member.email, role).finally(onChanged))}
                onRemove={() => change.remove(member.email).then(onChanged)}
              />
            )}
          </li>
        ))}
      </ul>
      {change !== null && (
        <NewMember
          busy={busy}
          onAdd={(email, role, form) =>
            run(async () => {
              await change.add(email, role);
              form.reset();
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

function MemberActions({ member: { email, role }, busy, onRole, onRemove }: MemberActionsProps) {
  return (
    <>
      <RoleChoice label={`Role of ${email}`} chosen={role} disabled={busy} onChoose={onRole} />
      <Confirm label="Remove" title={`Remove ${email}?`} confirm="Remove" onConfirm={onRemove} />
    </>
  );
}

type NewMemberProps = {
  busy: boolean;
  onAdd: (email: string, role: MemberRole, form: HTMLFormElement) => void;
};

function NewMember({ busy, onAdd }: NewMemberProps) {
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const data = new FormData(form);
        const role = data.get('role') === 'OWNER' ? 'OWNER' : 'READER';
        onAdd(textField(data, 'email'), role, form);
      }}
    >
      <input type="email" name="email" aria-label="E-mail" placeholder="E-mail" required />
      <RoleChoice label="Role" name="role" chosen="READER" disabled={busy} />
      <button type="submit" disabled={busy}>
        Add
      </button>
    </form>
  );
}

const roleNames: Record<MemberRole, string> = { READER: 'Reader', OWNER: 'Owner' };

type RoleChoiceProps = {
  label: string;
  name?: string;
  chosen: MemberRole;
  disabled: boolean;
  onChoose?: (role: MemberRole) => void;
};

function RoleChoice({ label, name, chosen, disabled, onChoose }: RoleChoiceProps) {
  return (
    <select
      aria-label={label}
      name={name}
      disabled={disabled}
      onChange={({ currentTarget: { value } }) =>
        onChoose?.(value === 'OWNER' ? 'OWNER' : 'READER')
      }
    >
      {Object.entries(roleNames).map(([value, words]) => (
        <option key={value} value={value} selected={value === chosen}>
          {words}
        </option>
      ))}
    </select>
  );
}
