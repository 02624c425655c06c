import type { Organization, Project } from '../../client.ts';
import { CallAs } from '../parts/call-as.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { client, openProject, viewer } from '../parts/session.ts';
import { useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { textField } from './form-fields.ts';

type OrganizationProjects = { organization: Organization; projects: Project[] };

/** The organizations and projects that the account reaches; one project is open at a time. */
export function Projects() {
  const { value, problem, reload } = useLoaded(readPlaces, '');
  if (value === null) return <p>{problem || 'Loading…'}</p>;
  const refresh = () => void reload(); // failures are kept in `problem`
  return (
    <>
      <p class="quiet">
        Memories of a project are seen by nobody outside it. The dashboard shows one at a time.
      </p>
      {problem && <p role="alert">{problem}</p>}
      {value.length === 0 && <p class="empty">This key reaches the open project only.</p>}
      {value.map(({ organization, projects }) => (
        <OrganizationCard
          key={organization.org_id}
          organization={organization}
          projects={projects}
          onChanged={refresh}
        />
      ))}
      {viewer.value?.keyWrites === true && value.length > 0 && (
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
  const { org_id, name, user_role } = organization;
  const mayWrite = viewer.value?.keyWrites === true && user_role === 'OWNER';
  return (
    <article class="card" aria-label={name}>
      <h3 dir="auto">
        {name} <span class="tag">{user_role === 'OWNER' ? 'owner' : 'reader'}</span>
      </h3>
      <ul class="rows">
        {projects.map((project) => (
          <ProjectRow
            key={project.project_id}
            project={project}
            mayDelete={mayWrite}
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
    </article>
  );
}

type ProjectRowProps = { project: Project; mayDelete: boolean; onChanged: () => void };

function ProjectRow({ project, mayDelete, onChanged }: ProjectRowProps) {
  const { org_id, project_id, name, user_role } = project;
  const isOpen = project_id === viewer.value?.project_id;
  return (
    <li>
      <span class="grow">
        <strong dir="auto">{name}</strong>
        {isOpen && <span class="tag chosen">open</span>}
        {user_role === 'READER' && <span class="tag">reader</span>}
        <span class="quiet id">{project_id}</span>
      </span>
      {!isOpen && (
        <button type="button" aria-label={`Open ${name}`} onClick={() => openProject(project_id)}>
          Open
        </button>
      )}
      {mayDelete && !isOpen && (
        <Confirm
          label="Delete"
          title={`Delete the project ${name}?`}
          confirm="Delete it for ever"
          typed={name}
          onConfirm={async () => {
            await client.deleteProject({ org_id, project_id });
            onChanged();
          }}
        >
          <p>All its memories, with their history, events, webhooks and exports, are deleted.</p>
          <p class="quiet">Nothing of it can be brought back.</p>
        </Confirm>
      )}
    </li>
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
