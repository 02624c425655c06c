import type { ListModelsOutput } from '../../client.ts';
import { CallAs } from '../parts/call-as.tsx';
import { Scroll } from '../parts/scroll.tsx';
import { client } from '../parts/session.ts';
import { useLoaded } from '../parts/use-loaded.ts';

/** What searches by meaning can use, what it weighs and what it brings. */
export function Models() {
  const { value, problem } = useLoaded(async () => client.listModels(), '');
  if (value === null) return <p>{problem || 'Loading…'}</p>;
  const { models, words, in_use, embedding, language_model, tokens_today } = value;
  return (
    <>
      <dl class="facts wide-facts">
        <Fact name="Search by meaning" value={in_use === 'words' ? 'off: words only' : in_use} />
        <Fact name="Language model" value={language_model ?? 'none: rules extract facts'} />
        <Fact
          name="Tokens spent today"
          value={language_model === null ? '0' : tokens_today.toLocaleString('en')}
        />
      </dl>
      {embedding !== null && <Progress {...embedding} />}
      <Scroll label="All models">
        <table>
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col">Download</th>
              <th scope="col">Dimensions</th>
              <th scope="col">Languages</th>
              <th scope="col">English</th>
              <th scope="col">Others</th>
              <th scope="col">LoCoMo</th>
            </tr>
          </thead>
          <tbody>
            {models.map((model) => (
              <Row key={model.name} {...model} />
            ))}
            <tr>
              <th scope="row">words alone</th>
              <td colSpan={3} />
              <Quality measured={words} />
            </tr>
          </tbody>
        </table>
      </Scroll>
      <p class="quiet">
        English and Others: percent of questions in other words that are answered within 5 results.
        LoCoMo: percent of the evidence within 10.
      </p>
      <p>Another model is fetched where the server runs:</p>
      <pre>mneme models use NAME</pre>
      <CallAs operation="list_models" input={{}} />
    </>
  );
}

function Progress({ pending, total }: { pending: number; total: number }) {
  const done = total - pending;
  return (
    <p class="score">
      <meter min={0} max={Math.max(total, 1)} value={done} aria-label="Memories with a vector" />
      {pending === 0
        ? `All ${total.toLocaleString('en')} memories have their vector.`
        : `${done.toLocaleString('en')} of ${total.toLocaleString('en')} have their vector.`}
    </p>
  );
}

type Model = ListModelsOutput['models'][number];

function Row({ name, in_use, installed, download_bytes, dimensions, languages, measured }: Model) {
  return (
    <tr>
      <th scope="row">
        {name}{' '}
        {in_use ? (
          <span class="tag chosen">in use</span>
        ) : (
          installed && <span class="tag">here</span>
        )}
      </th>
      <td>{download_bytes === 0 ? 'none' : `${Math.round(download_bytes / 1_000_000)} MB`}</td>
      <td>{dimensions}</td>
      <td>{languages}</td>
      <Quality measured={measured} />
    </tr>
  );
}

function Quality({ measured }: { measured: Model['measured'] }) {
  return (
    <>
      <td>{measured?.english ?? '–'}</td>
      <td>{measured?.other_languages ?? '–'}</td>
      <td>{measured?.locomo?.toFixed(1) ?? '–'}</td>
    </>
  );
}

export function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{value}</dd>
    </div>
  );
}
