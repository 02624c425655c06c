import { useState } from 'preact/hooks';
import { textField } from '../parts/form-fields.ts';
import { viewer } from '../parts/session.ts';
import { useOffWords } from './language-model.ts';
import { type LoadedProject, LongText, ProjectForm, Switch } from './project-form.tsx';

/** Settings for what extraction keeps from a conversation, and how it files it. */
export function Extraction() {
  const offWords = useOffWords();
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
                off={modelFields.includes(name) ? offWords : ''}
              />
            ))}
            <Categories settings={settings} />
            <Aliases groups={settings.aliases ?? []} />
            {switches.map(({ name, label, help }) => (
              <Switch
                key={name}
                name={name}
                label={label}
                help={help}
                on={settings[name] === true}
                off={modelFields.includes(name) ? offWords : ''}
              />
            ))}
          </>
        )}
      </ProjectForm>
    </>
  );
}

/** Instructions that only a language model reads. */
const modelFields: readonly string[] = [
  'custom_instructions',
  'agent_custom_instructions',
  'multilingual',
];

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
  const entries = texts.map(({ name }) => [name, textField(data, name) || null]);
  return {
    ...Object.fromEntries(entries),
    custom_categories: readCategories(data),
    ...(data.has('aliases') && { aliases: readAliases(textField(data, 'aliases')) }),
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
  if (rows.length > 0) return rows;
  return data.has('default_categories') ? null : []; // an empty list switches those of mneme off
}

function Categories({ settings }: { settings: LoadedProject }) {
  const [rows, setRows] = useState(() => [
    ...(settings.custom_categories ?? []).flatMap((one) => Object.entries(one)),
    ['', ''] as [string, string],
  ]);
  return (
    <fieldset class="checks">
      <legend>Categories</legend>
      <p class="quiet">
        Memories are filed by these. A category without a name is removed when you save.
      </p>
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
      <Switch
        name="default_categories"
        label="Without any of these, file by those of mneme"
        help="Otherwise new memories get no category"
        on={settings.custom_categories?.length !== 0}
      />
    </fieldset>
  );
}

/** Separates two names: a name can hold nearly any character, but hardly this one. */
const aliasSeparator = '=';

/** Names that mean the same, a group on each line. */
function Aliases({ groups }: { groups: readonly (readonly string[])[] }) {
  const isWritable = groups.flat().every((name) => !name.includes(aliasSeparator));
  if (!isWritable) {
    return (
      <p class="quiet">Some names that mean the same hold a “=”: only the API changes them.</p>
    );
  }
  return (
    <LongText
      name="aliases"
      label="Names that mean the same"
      help="A search for one finds the others. A line for each: k8s = Kubernetes"
      value={groups.map((names) => names.join(` ${aliasSeparator} `)).join('\n')}
    />
  );
}

function readAliases(text: string): string[][] {
  const namesOf = (line: string) => line.split(aliasSeparator).map((name) => name.trim());
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => namesOf(line).filter((name) => name !== ''));
}
