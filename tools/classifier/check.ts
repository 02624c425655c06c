import { classify } from '../../src/core/classifier/linear-model.ts';
import { table } from '../../test/bench/table.ts';
import { type Example, type Training, train } from './logistic.ts';
import { type JudgedText, orderProbability, trainOrders } from './order-examples.ts';
import type { LabelledSentence } from './sentence-examples.ts';

const folds = [0, 1, 2, 3, 4] as const;

/** By kind: of what is kept how much is lasting, and how much of what is lasting is kept. */
export function checkSentences(sentences: readonly LabelledSentence[], options: Training): string {
  const judged = crossValidate(sentences, options);
  const kinds = [...new Set(sentences.map(({ kind }) => kind))];
  const rows = kinds.map((kind) => {
    const own = judged.filter(({ example }) => example.kind === kind);
    const lasting = own.filter(({ example }) => example.label !== 0);
    const figures = leasts.map((least) => {
      const isKept = ({ given }: (typeof own)[number]) => 1 - (given.get('passing') ?? 0) >= least;
      const [kept, right] = [own.filter(isKept).length, lasting.filter(isKept).length];
      return `${percentOf(right, kept)} / ${percentOf(right, lasting.length)}`;
    });
    return [kind, String(own.length), ...figures];
  });
  const steps = leasts.map((least) => `from ${least}`);
  return table(['precision / recall', 'sentences', ...steps], rows);
}

/** By language: of the requests to forget how many are found, and how many others are taken for one. */
export function checkForgetting(
  requests: readonly (Example & { kind: string })[],
  options: Training,
): string {
  const judged = crossValidate(requests, options);
  const rows = [...new Set(requests.map(({ kind }) => kind))].map((kind) => {
    const own = judged.filter(({ example }) => example.kind === kind);
    const asking = own.filter(({ example }) => example.label === 1);
    const others = own.filter(({ example }) => example.label === 0);
    const figures = surenesses.map((least) => {
      const isTaken = ({ given }: (typeof own)[number]) => (given.get('forget') ?? 0) >= least;
      const wrong = `${others.filter(isTaken).length} of ${others.length}`;
      return `${percentOf(asking.filter(isTaken).length, asking.length)} / ${wrong}`;
    });
    return [kind, String(asking.length), ...figures];
  });
  return table(
    ['found / others', 'to forget', ...surenesses.map((least) => `from ${least}`)],
    rows,
  );
}

const surenesses = [0.3, 0.5, 0.6, 0.8] as const;

/** By kind: of the orders how many are found, and how many others are taken for one, in percent. */
export function checkOrders(texts: readonly JudgedText[], options: Training): string {
  const judged = folds.flatMap((fold) => {
    const isHeldOut = ({ group }: JudgedText) => group % folds.length === fold;
    const model = trainOrders(
      texts.filter((one) => !isHeldOut(one)),
      options,
    );
    return texts.filter(isHeldOut).map((text) => {
      const sure = Math.max(...text.windows.map((window) => orderProbability(model, window)));
      return { ...text, sure };
    });
  });
  const rows = [...new Set(texts.map(({ kind }) => kind))].map((kind) => {
    const own = judged.filter((one) => one.kind === kind);
    const orders = own.filter(({ isOrder }) => isOrder);
    const others = own.filter(({ isOrder }) => !isOrder);
    const figures = orderSteps.map((least) => {
      const taken = (from: typeof own) => from.filter(({ sure }) => sure >= least).length;
      const wrong = `${taken(others)} of ${others.length}`;
      return `${percentOf(taken(orders), orders.length)} / ${wrong}`;
    });
    return [kind, String(orders.length), ...figures];
  });
  return table(['found / others', 'orders', ...orderSteps.map((least) => `from ${least}`)], rows);
}

const orderSteps = [0.5, 0.6, 0.7, 0.8, 0.9] as const;

const leasts = [0.05, 0.1, 0.2, 0.3, 0.5] as const;

function percentOf(some: number, all: number): string {
  return all === 0 ? '-' : String(Math.round((some / all) * 100));
}

function crossValidate<E extends Example>(examples: readonly E[], options: Training) {
  return folds.flatMap((fold) => {
    const others = examples.filter(({ group }) => group % folds.length !== fold);
    const model = train(others, options);
    return examples
      .filter(({ group }) => group % folds.length === fold)
      .map((example) => ({ example, given: classify(model, example.features, example.vector) }));
  });
}
