import type { Sent } from '../../client/operations.ts';
import { isObject } from '../../contract/is-object.ts';
import { type EntityType, entityTypes } from '../../contract/schemas/entity.ts';
import { CallAs } from '../parts/call-as.tsx';
import { textField } from '../parts/form-fields.ts';
import { client } from '../parts/session.ts';
import { useOffWords } from './language-model.ts';
import { LongText, SettingsForm, Switch } from './project-form.tsx';

const titles: Record<EntityType, string> = {
  user: 'Profiles of users',
  agent: 'Profiles of agents',
  app: 'Profiles of apps',
  run: 'Profiles of sessions',
};

/** Settings for whether profiles are made, and what they contain for each kind of owner. */
export function Profiles() {
  const offWords = useOffWords();
  return (
    <>
      <p class="quiet">
        People shows the profile of each one. It is made from memories when somebody looks, and kept
        nowhere.
      </p>
      <SettingsForm label="Profiles" load={() => client.getProfileSettings()} save={save}>
        {({ enabled, entities }) => (
          <>
            <Switch
              name="enabled"
              label="Make profiles"
              help="Without a language model, a profile costs one reading of the memories"
              on={enabled}
            />
            {entityTypes.map((type) => (
              <Shape key={type} type={type} shape={entities[type] ?? {}} offWords={offWords} />
            ))}
          </>
        )}
      </SettingsForm>
    </>
  );
}

async function save(data: FormData) {
  const input = inputOf(data);
  await client.updateProfileSettings(input);
  return <CallAs operation="update_profile_settings" input={input} />;
}

type ShapeSection = NonNullable<
  NonNullable<Sent<'update_profile_settings'>['entities']>[EntityType]
>;

type ShapeProps = { type: EntityType; shape: ShapeSection; offWords: string };

function Shape({ type, shape, offWords }: ShapeProps) {
  const { custom_instructions = null, schema = null } = shape;
  const isSet = custom_instructions !== null || schema !== null;
  return (
    <details open={isSet || type === 'user'}>
      <summary>{titles[type]}</summary>
      <LongText
        name={`${type} instructions`}
        label="Instructions"
        help="How a language model writes them"
        value={custom_instructions}
        off={offWords}
      />
      <LongText
        name={`${type} schema`}
        label="JSON Schema"
        help="The fields that are filled; empty is by topic"
        value={schema === null ? null : JSON.stringify(schema, null, 2)}
      />
    </details>
  );
}

function inputOf(data: FormData): Sent<'update_profile_settings'> {
  const shapes = entityTypes.map((type) => [type, shapeOf(data, type)] as const);
  return { enabled: data.has('enabled'), entities: Object.fromEntries(shapes) };
}

function shapeOf(data: FormData, type: EntityType): ShapeSection {
  const text = textField(data, `${type} schema`);
  return {
    custom_instructions: textField(data, `${type} instructions`) || null,
    schema: text === '' ? null : parseSchema(text, titles[type]),
  };
}

/** @throws {Error} which names the form, if the text is not a JSON object */
function parseSchema(text: string, title: string): Record<string, unknown> {
  let schema: unknown = null;
  try {
    schema = JSON.parse(text);
  } catch {
    // It gets the same error as JSON that is not an object.
  }
  if (!isObject(schema)) throw new Error(`${title}: the JSON Schema is not a JSON object.`);
  return schema;
}
