import { useEffect } from 'preact/hooks';
import type { Output } from '../../contract.ts';
import { CallAs, CopyButton } from '../parts/call-as.tsx';
import { Problem, Unread } from '../parts/problem.tsx';
import { Scroll } from '../parts/scroll.tsx';
import { client } from '../parts/session.ts';
import { useLoaded } from '../parts/use-loaded.ts';

/** How often the progress is read while vectors are missing. */
const lookAgainMs = 3000;

/** Lists the models for search by meaning, with their size and quality. */
export function Models() {
  const { value, problem, reload } = useLoaded(async () => client.listModels(), '');
  const pending = value?.embedding?.pending ?? 0;
  useEffect(() => {
    if (pending === 0) return undefined;
    const timer = setInterval(() => void reload(), lookAgainMs);
    return () => clearInterval(timer);
  }, [pending === 0, reload]);
  if (value === null) return <Unread problem={problem} reload={reload} />;
  const { models, words, embedding } = value;
  return (
    <>
      <Problem problem={problem} reload={reload} />
      <InUse list={value} />
      {embedding !== null && <Progress {...embedding} />}
      <Recommended model={recommendedOf(models)} />
      <ModelTable models={models} words={words} />
      <p class="quiet">
        English and Others: percent of questions in other words that are answered within 5 results.
        LoCoMo: percent of the evidence within 10. In brackets: the gain over words alone.
      </p>
      <p>Another model is fetched where the server runs:</p>
      <pre>mneme models use NAME</pre>
      <CallAs operation="list_models" input={{}} />
    </>
  );
}

/** The best of the measured models, for English and other languages together. */
function recommendedOf(models: readonly Model[]): Model | null {
  const sum = ({ measured }: Model) => (measured?.english ?? 0) + (measured?.other_languages ?? 0);
  return models.toSorted((one, other) => sum(other) - sum(one))[0] ?? null;
}

function Recommended({ model }: { model: Model | null }) {
  if (model === null) return null;
  const { name, in_use, download_bytes } = model;
  if (in_use) return <p>The model that is in use is the one we recommend.</p>;
  const command = `mneme models use ${name}`;
  return (
    <div class="card" role="note" aria-label="Recommended">
      <p>
        Recommended: <strong>{name}</strong>, which finds the most in English and other languages
        together. Run this where the server runs; it downloads {megabytes(download_bytes)}, and no
        text leaves that machine.
      </p>
      <div class="bar">
        <code>{command}</code>
        <CopyButton text={command} />
      </div>
    </div>
  );
}

function megabytes(bytes: number): string {
  return bytes === 0 ? 'none' : `${Math.round(bytes / 1_000_000)} MB`;
}

function InUse({ list }: { list: Output<'list_models'> }) {
  const { in_use, language_model, tokens_today, runtime } = list;
  return (
    <dl class="facts wide-facts">
      <Fact name="Search by meaning" value={in_use === 'words' ? 'off: words only' : in_use} />
      <Fact name="Language model" value={language_model ?? 'none: rules extract facts'} />
      <Fact
        name="Tokens spent today"
        value={language_model === null ? '0' : tokens_today.toLocaleString('en')}
      />
      <Fact name="Runtime of models" value={runtime.installed ? runtime.folder : 'not installed'} />
    </dl>
  );
}

type ModelTableProps = { models: Model[]; words: WordQuality };

function ModelTable({ models, words }: ModelTableProps) {
  return (
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
            <Row key={model.name} model={model} words={words} />
          ))}
          <tr>
            <th scope="row">words alone</th>
            <td colSpan={3} />
            <Quality measured={words} words={words} />
          </tr>
        </tbody>
      </table>
    </Scroll>
  );
}

function Progress({ pending, total }: { pending: number; total: number }) {
  const count = total - pending;
  return (
    <p class="score">
      <meter min={0} max={Math.max(total, 1)} value={count} aria-label="Memories with a vector" />
      {pending === 0
        ? `All ${total.toLocaleString('en')} memories have their vector.`
        : `${count.toLocaleString('en')} of ${total.toLocaleString('en')} have their vector.`}
    </p>
  );
}

type Model = Output<'list_models'>['models'][number];
type WordQuality = Output<'list_models'>['words'];

function Row({ model, words }: { model: Model; words: WordQuality }) {
  const { name, in_use, installed, download_bytes, dimensions, languages, measured } = model;
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
      <td>{megabytes(download_bytes)}</td>
      <td>{dimensions}</td>
      <td>{languages}</td>
      <Quality measured={measured} words={words} />
    </tr>
  );
}

type QualityProps = { measured: Model['measured']; words: WordQuality };

function Quality({ measured, words }: QualityProps) {
  return (['english', 'other_languages', 'locomo'] as const).map((kind) => (
    <td key={kind}>{percentAndGain(measured?.[kind] ?? null, words[kind])}</td>
  ));
}

/** `71 (+12)`; nothing is gained over itself. */
function percentAndGain(percent: number | null, words: number | null): string {
  if (percent === null) return '–';
  const gain = Math.round((percent - (words ?? percent)) * 10) / 10;
  return gain === 0 ? String(percent) : `${percent} (${gain > 0 ? '+' : '−'}${Math.abs(gain)})`;
}

export function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{value}</dd>
    </div>
  );
}
