import { classify } from '../../src/core/extraction/classifier/linear-model.ts';
import type { LinearModel } from '../../src/core/ports/index.ts';
import { orderFeatures, orderWindows } from '../../src/core/safety/order-features.ts';
import { plainText } from '../../src/core/safety/plain-text.ts';
import { type Example, type Training, train } from './logistic.ts';
import type { OrderText } from './order-texts.ts';

export const orderLabels = ['harmless', 'order'] as const;

type Embed = (text: string) => Float32Array | null;

/** A text by its windows, of which one at least is an order if it is one. */
export type JudgedText = { kind: string; group: number; isOrder: boolean; windows: Window[] };

/** `isCertain`: whether the window itself is known to be what its label says. */
type Window = Example & { isCertain: boolean; text: string };

export function orderExamples(texts: readonly OrderText[], embed: Embed): JudgedText[] {
  const groups = new Map<string, number>();
  return texts.map(({ text, order, kind, source }) => {
    if (!groups.has(source)) groups.set(source, groups.size);
    const group = groups.get(source) ?? 0;
    const parts = orderWindows(plainText(text));
    const isWhole = order === text;
    const place = order === null || isWhole ? '' : plainText(order);
    const windows = parts.map((part) => ({
      text: part,
      features: orderFeatures(part),
      vector: embed(part),
      label: order !== null && overlaps(part, place) ? 1 : 0,
      group,
      isCertain: parts.length === 1 || !isWhole,
    }));
    return { kind, group, isOrder: order !== null, windows };
  });
}

/** A window holds an order of which it has the most part. */
function overlaps(window: string, order: string): boolean {
  if (order === '') return true;
  const parts = order.match(/.{1,20}/gsu) ?? [];
  return parts.filter((part) => window.includes(part)).length * 2 > parts.length;
}

/**
 * Trains twice: where an order is a part of its text and nobody said which, the first model says
 * it.
 */
export function trainOrders(texts: readonly JudgedText[], options: Training): LinearModel {
  const first = train(
    texts.flatMap(({ windows }) => windows),
    options,
  );
  const clear = texts.flatMap(({ windows }) => {
    const sure = windows.map((one) => (one.isCertain ? 0 : orderProbability(first, one)));
    const most = Math.max(...sure);
    return windows.filter((one, at) => one.isCertain || sure[at] === most || (sure[at] ?? 0) > 0.8);
  });
  return train(clear, options);
}

export function orderProbability(model: LinearModel, { features, vector }: Example): number {
  return classify(model, features, vector).get('order') ?? 0;
}
