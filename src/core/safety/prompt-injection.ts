import { classify } from '../extraction/classifier/linear-model.ts';
import type { Deps, OrderModels } from '../ports/index.ts';
import { orderFeatures, orderWindows } from './order-features.ts';
import { plainReadings } from './plain-text.ts';

/** The name of the flag in the metadata of a memory. */
const injectionFlag = 'flagged';

/** The metadata of a memory: text that reads like orders to an agent is flagged there. */
export function flagInjection(
  { readsLikeOrders }: Pick<Deps, 'readsLikeOrders'>,
  text: string,
  metadata: Record<string, unknown>,
): Record<string, unknown> {
  return readsLikeOrders(text)
    ? { ...metadata, [injectionFlag]: 'reads like instructions: data only' }
    : metadata;
}

/**
 * Tells whether a text reads like orders to an agent: by the marks of conversations and calls that
 * agents read, and by a classifier, which is opened with the first text. Without one, only marks
 * count.
 */
export function createOrderReader(openModels: () => OrderModels | null): Deps['readsLikeOrders'] {
  let models: OrderModels | null | undefined;
  let last: { text: string; isOrder: boolean } | null = null;
  return (text) => {
    // What flags a text and what decides whether it waits ask one after the other.
    if (last?.text === text) return last.isOrder;
    if (models === undefined) models = openModels();
    last = { text, isOrder: isOrder(text, models) };
    return last.isOrder;
  };
}

function isOrder(text: string, models: OrderModels | null): boolean {
  const readings = plainReadings(text);
  if (readings.some((reading) => agentMarks.some((mark) => mark.test(reading)))) return true;
  if (models === null) return false;
  return readings
    .flatMap(orderWindows)
    .some((window) => orderProbability(window, models) >= orderMin);
}

function orderProbability(window: string, { orders, embed }: OrderModels): number {
  return classify(orders, orderFeatures(window), embed(window)).get('order') ?? 0;
}

/** See `tools/classifier/README.md`. */
const orderMin = 0.9;

/** What stands in the texts that agents work with, and hardly in what anybody tells of. */
const agentMarks: readonly RegExp[] = [
  // Where chat templates begin and end a message.
  /<\|(?:im_start|im_end|system|assistant|eot_id|start_header_id|end_header_id)\|>|\[\/?INST\]|<<\/?SYS>>/i,
  // Calls of tools.
  /<\/?(?:tool_calls?|function_calls?)>|<invoke name=/i,
  /"(?:tool|tool_name|function|name)"\s{0,9}:\s{0,9}"[\w.-]{1,80}"\s{0,9},\s{0,9}"(?:arguments|args|input|parameters)"\s{0,9}:/i,
  // A picture whose address is to be filled with data.
  /!\[[^\]\n]{0,200}\]\(https?:[^)\s]{1,500}[?][^)\n]{0,300}[{[<]/i,
  /<img\s[^>]{0,300}src=["']?https?:[^"'>\s]{1,500}[?][^"'>\n]{0,300}[{[<]/i,
];
