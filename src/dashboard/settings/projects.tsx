import { useState } from 'preact/hooks';
import type { Organization } from '../../contract/schemas/organization.ts';
import type { Project } from '../../contract/schemas/project.ts';
import { CallAs } from '../parts/call-as.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { textField } from '../parts/form-fields.ts';
import { Problem, Unread } from '../parts/problem.tsx';
import { client, openProject, viewer } from '../parts/session.ts';
import { useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Invitations } from './invitations.tsx';
import { ProjectNameForm } from './project-name-form.tsx';

type OrganizationProjects = { organization: Organization; projects: Project[] };

/** The organizations and projects that the account reaches; one project is open at a time. */
export function Projects() {
  const { value, problem, reload } = useLoaded(readPlaces, '');
  if (value === null) return <Unread problem={problem} reload={reload} />;
  const refresh = () => void reload(); // failures are kept in `problem`
  return (
    <>
      <p class="quiet">
        Memories of a project are seen by nobody outside it. The dashboard shows one at a time.
      </p>
      <Problem problem={problem} reload={reload} />
      <Invitations mayAnswer={viewer.value?.keyWrites === true} onAccepted={refresh} />
      {value.length === 0 && <p class="empty">This key reaches the open project only.</p>}
      {value.map(({ organization, projects }) => (
        <OrganizationCard
          key={organization.org_id}
          organization={organization}
          projects={projects}
          onChanged={refresh}
        />
      ))}
      {mayMakeOrganization(value) && (
        <NameForm
          label="New organization"
          onSubmit={async (name) => {
            await client.createOrganization({ name });
            refresh();
          }}
        />
      )}
      <CallAs operation="list_projects" input={{ org_id: viewer.value?.org_id ?? '' }} />
    </>
  );
}

/** A key of one project lists no organization, and who only reads everywhere makes none. */
function mayMakeOrganization(places: readonly OrganizationProjects[]): boolean {
  const ownsOne = places.some(({ organization }) => organization.user_role === 'OWNER');
  const { keyWrites = false, isOwner = false } = viewer.value ?? {};
  return keyWrites && places.length > 0 && (ownsOne || isOwner);
}

async function readPlaces(): Promise<OrganizationProjects[]> {
  const { results } = await client.listOrganizations();
  return Promise.all(
    results.map(async (organization) => {
      const { results: projects } = await client.listProjects({ org_id: organization.org_id });
      return { organization, projects };
    }),
  );
}

type OrganizationCardProps = OrganizationProjects & { onChanged: () => void };

function OrganizationCard({ organization, projects, onChanged }: OrganizationCardProps) {
  const { org_id, name, description, user_role } = organization;
  const mayWrite = viewer.value?.keyWrites === true && user_role === 'OWNER';
  return (
    <article class="card" aria-label={name}>
      <h3 dir="auto">
        {name} <span class="tag">{user_role === 'OWNER' ? 'owner' : 'reader'}</span>
      </h3>
      <p class="quiet id">{org_id}</p>
      {description && (
        <p class="quiet" dir="auto">
          {description}
        </p>
      )}
      <ul class="rows">
        {projects.map((project) => (
          <ProjectRow
            key={project.project_id}
            project={project}
            mayChange={mayWrite}
            onChanged={onChanged}
          />
        ))}
      </ul>
      {mayWrite && (
        <NameForm
          label="New project"
          onSubmit={async (project) => {
            await client.createProject({ org_id, name: project });
            onChanged();
          }}
        />
      )}
      {mayWrite && org_id !== viewer.value?.org_id && (
        <Confirm
          label="Delete the organization"
          title={`Delete the organization ${name}?`}
          confirm="Delete it forever"
          phrase={name}
          onConfirm={() => client.deleteOrganization({ org_id }).then(onChanged)}
        >
          <p>All its projects go with their memories, history, webhooks and exports.</p>
          <p class="quiet">Nothing of it can be brought back.</p>
        </Confirm>
      )}
    </article>
  );
}

type ProjectRowProps = { project: Project; mayChange: boolean; onChanged: () => void };

function ProjectRow({ project, mayChange, onChanged }: ProjectRowProps) {
  const { project_id, name } = project;
  const [isEdited, setEdited] = useState(false);
  const isOpen = project_id === viewer.value?.project_id;
  const mayRename = mayChange || (isOpen && viewer.value?.mayWrite === true);
  if (isEdited) {
    return (
      <li>
        <ProjectNameForm
          project={project}
          onDone={() => {
            setEdited(false);
            onChanged();
          }}
          onCancel={() => setEdited(false)}
        />
      </li>
    );
  }
  return (
    <li>
      <ProjectName project={project} isOpen={isOpen} />
      {!isOpen && (
        <button type="button" aria-label={`Open ${name}`} onClick={() => openProject(project_id)}>
          Open
        </button>
      )}
      {mayRename && (
        <button type="button" aria-label={`Rename ${name}`} onClick={() => setEdited(true)}>
          Rename
        </button>
      )}
      {mayChange && !isOpen && <DeleteProject project={project} onDeleted={onChanged} />}
    </li>
  );
}

type ProjectNameProps = { project: Project; isOpen: boolean };

function ProjectName({ project, isOpen }: ProjectNameProps) {
  const { project_id, name, description, user_role } = project;
  return (
    <span class="grow">
      <strong dir="auto">{name}</strong>
      {isOpen && <span class="tag chosen">open</span>}
      {user_role === 'READER' && <span class="tag">reader</span>}
      {description && (
        <span class="quiet line" dir="auto">
          {description}
        </span>
      )}
      <span class="quiet id">{project_id}</span>
    </span>
  );
}

type DeleteProjectProps = { project: Project; onDeleted: () => void };

function DeleteProject({ project, onDeleted }: DeleteProjectProps) {
  const { org_id, project_id, name } = project;
  return (
    <Confirm
      label="Delete"
      title={`Delete the project ${name}?`}
      confirm="Delete it forever"
      phrase={name}
      onConfirm={() => client.deleteProject({ org_id, project_id }).then(onDeleted)}
    >
      <p>All its memories, with their history, events, webhooks and exports, are deleted.</p>
      <p class="quiet">Nothing of it can be brought back.</p>
    </Confirm>
  );
}

type NameFormProps = { label: string; onSubmit: (name: string) => Promise<unknown> };

function NameForm({ label, onSubmit }: NameFormProps) {
  const { busy, problem, run } = useAction();
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        run(async () => {
          await onSubmit(textField(new FormData(form), 'name'));
          form.reset();
        });
      }}
    >
      <input name="name" aria-label={label} placeholder={label} required maxLength={255} />
      <button type="submit" disabled={busy}>
        Create
      </button>
      {problem && <p role="alert">{problem}</p>}
    </form>
  );
}
