import type { Project } from '../../contract/schemas/project.ts';
import { textField } from '../parts/form-fields.ts';
import { client, viewer } from '../parts/session.ts';
import { useAction } from '../parts/use-action.ts';

type ProjectNameFormProps = { project: Project; onDone: () => void; onCancel: () => void };

/** What a project is called, and what it is for. */
export function ProjectNameForm({ project, onDone, onCancel }: ProjectNameFormProps) {
  const { org_id, project_id, name, description } = project;
  const { busy, problem, run } = useAction();
  const save = async (data: FormData) => {
    const change = { name: textField(data, 'name'), description: textField(data, 'description') };
    await client.updateProject({ org_id, project_id, ...change });
    const open = viewer.value;
    // The menu of projects names the open one.
    if (open?.project_id === project_id) viewer.value = { ...open, project: change.name };
    onDone();
  };
  return (
    <form
      class="inline"
      aria-label={`Rename ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        run(() => save(data));
      }}
    >
      <input
        name="name"
        aria-label="Name of the project"
        required
        maxLength={255}
        dir="auto"
        defaultValue={name}
      />
      <input
        name="description"
        aria-label="What the project is for"
        placeholder="What it is for"
        maxLength={2000}
        dir="auto"
        defaultValue={description}
      />
      <button class="primary" type="submit" disabled={busy}>
        Save
      </button>
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
      {problem && <p role="alert">{problem}</p>}
    </form>
  );
}
