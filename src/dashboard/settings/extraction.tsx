import { useState } from 'preact/hooks';
import { viewer } from '../parts/session.ts';
import { textField } from './form-fields.ts';
import { type LoadedProject, LongText, ProjectForm, Switch } from './project-form.tsx';

/** What extraction keeps of a conversation, and how it files it. */
export function Extraction() {
  return (
    <>
      <p class="quiet">
        Without a language model, rules extract facts: they follow what to keep and what to leave
        out, the categories and the switches. Instructions are for a language model.
      </p>
      <ProjectForm label="Extraction" read={readExtraction}>
        {(settings) => (
          <>
            {texts.map(({ name, label, help }) => (
              <LongText
                key={name}
                name={name}
                label={label}
                help={help}
                value={settings[name] ?? null}
              />
            ))}
            <Categories settings={settings} />
            {switches.map(({ name, label, help }) => (
              <Switch
                key={name}
                name={name}
                label={label}
                help={help}
                on={settings[name] === true}
              />
            ))}
          </>
        )}
      </ProjectForm>
    </>
  );
}

const texts = [
  {
    name: 'inclusion_prompt',
    label: 'What to remember',
    help: 'Such as: allergies, travel plans',
  },
  {
    name: 'exclusion_prompt',
    label: 'What not to remember',
    help: 'Such as: prices, small talk',
  },
  {
    name: 'custom_instructions',
    label: 'Instructions',
    help: 'How a language model extracts facts',
  },
  {
    name: 'agent_custom_instructions',
    label: 'Instructions about agents',
    help: 'The same, for what agents say of themselves',
  },
] as const;

const switches = [
  {
    name: 'multilingual',
    label: 'Keep the language of the conversation',
    help: 'Otherwise a language model writes in English',
  },
  {
    name: 'enable_graph',
    label: 'Also keep relations between entities',
    help: 'The graph shows them',
  },
  {
    name: 'decay',
    label: 'Let memories fade that are not used',
    help: 'Their scores fall with time',
  },
] as const;

function readExtraction(data: FormData) {
  const written = texts.map(({ name }) => [name, textField(data, name) || null]);
  return {
    ...Object.fromEntries(written),
    custom_categories: readCategories(data),
    ...Object.fromEntries(switches.map(({ name }) => [name, data.has(name)])),
  };
}

function readCategories(data: FormData): Record<string, string>[] | null {
  const abouts = data.getAll('category_about').map(String);
  const rows = data
    .getAll('category')
    .map((name, at) => [String(name).trim(), abouts[at]?.trim() ?? ''] as const)
    .filter(([name]) => name !== '')
    .map(([name, about]) => ({ [name]: about }));
  return rows.length === 0 ? null : rows;
}

function Categories({ settings }: { settings: LoadedProject }) {
  const [rows, setRows] = useState(() => [
    ...(settings.custom_categories ?? []).flatMap((one) => Object.entries(one)),
    ['', ''] as [string, string],
  ]);
  return (
    <fieldset class="checks">
      <legend>Categories</legend>
      <p class="quiet">Memories are filed by these; without any, by those of mneme.</p>
      {rows.map(([name, about], at) => (
        <div key={at} class="pair">
          <input
            name="category"
            aria-label={`Category ${at + 1}`}
            placeholder="travel"
            dir="auto"
            defaultValue={name}
          />
          <input
            name="category_about"
            aria-label={`What belongs to category ${at + 1}`}
            placeholder="trips, places, tickets"
            dir="auto"
            defaultValue={about}
          />
        </div>
      ))}
      {viewer.value?.mayWrite === true && (
        <button type="button" onClick={() => setRows([...rows, ['', '']])}>
          Another category
        </button>
      )}
    </fieldset>
  );
}
