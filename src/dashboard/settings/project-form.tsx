import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Sent } from '../../client/operations.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import { CallAs } from '../parts/call-as.tsx';
import { Unread } from '../parts/problem.tsx';
import { client, viewer } from '../parts/session.ts';
import { useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';

/** The settings of the open project. */
export type LoadedProject = Awaited<ReturnType<typeof client.getProject>>;
type ProjectChange = StrictOmit<Sent<'update_project'>, 'org_id' | 'project_id'>;

type ProjectFormProps = {
  label: string;
  /** Reads the change from the fields of the form. */
  read: (data: FormData) => ProjectChange;
  children: (settings: LoadedProject) => ComponentChildren;
};

/** A form over some settings of the project. */
export function ProjectForm({ label, read, children }: ProjectFormProps) {
  const { org_id = '', project_id = '' } = viewer.value ?? {};
  const ids = { org_id, project_id };
  return (
    <SettingsForm
      label={label}
      load={() => client.getProject(ids)}
      save={async (data) => {
        const input = { ...ids, ...read(data) };
        await client.updateProject(input);
        return <CallAs operation="update_project" input={input} />;
      }}
    >
      {children}
    </SettingsForm>
  );
}

type SettingsFormProps<Settings> = {
  label: string;
  load: () => Promise<Settings>;
  /** Saves what the fields say, and returns the call that did. */
  save: (data: FormData) => Promise<ComponentChildren>;
  children: (settings: Settings) => ComponentChildren;
};

/** A form over what an owner sets; a reader sees it without its button. */
export function SettingsForm<S>({ label, load, save, children }: SettingsFormProps<S>) {
  const { value, problem: unread, reload } = useLoaded(load, '');
  const { busy, problem, run } = useAction();
  const [call, setCall] = useState<ComponentChildren>(null);
  const mayWrite = viewer.value?.mayWrite === true;
  if (value === null) return <Unread problem={unread} reload={reload} />;
  return (
    <form
      class="settings-form"
      aria-label={label}
      onInput={() => setCall(null)}
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        run(async () => setCall(await save(data)));
      }}
    >
      <fieldset disabled={!mayWrite}>
        <legend class="hidden">{label}</legend>
        {children(value)}
      </fieldset>
      {problem && <p role="alert">{problem}</p>}
      {mayWrite && (
        <div class="bar">
          <button class="primary" type="submit" disabled={busy}>
            Save
          </button>
          {call !== null && (
            <span class="quiet" role="status">
              Saved.
            </span>
          )}
        </div>
      )}
      {call}
    </form>
  );
}

type LongTextProps = {
  name: string;
  label: string;
  help: string;
  value: string | null;
  /** Why nothing can be typed; what was there before is kept. */
  off?: string;
};

export function LongText({ name, label, help, value, off = '' }: LongTextProps) {
  const isOff = off !== '';
  return (
    <label class="field">
      {label}
      <span class="quiet">{isOff ? off : help}</span>
      <textarea
        name={isOff ? undefined : name}
        rows={3}
        dir="auto"
        disabled={isOff}
        defaultValue={value ?? ''}
      />
      {isOff && <input type="hidden" name={name} value={value ?? ''} />}
    </label>
  );
}

type SwitchProps = { name: string; label: string; help: string; on: boolean; off?: string };

export function Switch({ name, label, help, on, off = '' }: SwitchProps) {
  const isOff = off !== '';
  return (
    <label class="check">
      <input type="checkbox" name={isOff ? undefined : name} disabled={isOff} defaultChecked={on} />
      <span>
        {label}
        <span class="quiet line">{isOff ? off : help}</span>
      </span>
      {isOff && on && <input type="hidden" name={name} value="on" />}
    </label>
  );
}

type ChoiceProps<Name extends string> = {
  name: string;
  label: string;
  options: Record<Name, string>;
  value: Name;
};

/** A choice of one option, with a label for each. */
export function Choice<Name extends string>({
  name,
  label,
  options,
  value: choice,
}: ChoiceProps<Name>) {
  return (
    <fieldset class="checks">
      <legend>{label}</legend>
      {Object.entries<string>(options).map(([value, words]) => (
        <label key={value} class="check">
          <input type="radio" name={name} value={value} defaultChecked={value === choice} /> {words}
        </label>
      ))}
    </fieldset>
  );
}
