import { useState } from 'preact/hooks';
import { client, openProject, viewer } from '../parts/session.ts';
import { useLoaded } from '../parts/use-loaded.ts';

type ProjectChoice = { organization: string; projects: { project_id: string; name: string }[] };

/** The project that is shown, as a menu of all that the account reaches, read when it is opened. */
export function ProjectSwitch() {
  const { project_id = '', project = '' } = viewer.value ?? {};
  const [openings, setOpenings] = useState(0);
  const read = async () => (openings === 0 ? [] : readChoices());
  const { value } = useLoaded(read, String(openings));
  const choices = value ?? [];
  const isListed = choices.some(({ projects }) =>
    projects.some((one) => one.project_id === project_id),
  );
  return (
    <select
      class="project"
      aria-label="Project"
      value={project_id}
      // A pointer is above it before it is opened, so that the menu is there in time.
      onPointerEnter={() => setOpenings((count) => count || 1)}
      onFocus={() => setOpenings((count) => count + 1)}
      onChange={({ currentTarget }) => openProject(currentTarget.value)}
    >
      {!isListed && <option value={project_id}>{project}</option>}
      {choices.map(({ organization, projects }) => (
        <optgroup key={organization} label={organization}>
          {projects.map((one) => (
            <option key={one.project_id} value={one.project_id}>
              {one.name}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}

/** A key of one project reaches no list of organizations; it shows that project alone. */
async function readChoices(): Promise<ProjectChoice[]> {
  const { results } = await client.listOrganizations();
  const choices = await Promise.all(
    results.map(async ({ org_id, name }) => {
      const { results: projects } = await client.listProjects({ org_id });
      return { organization: name, projects };
    }),
  );
  return choices.filter(({ projects }) => projects.length > 0);
}
