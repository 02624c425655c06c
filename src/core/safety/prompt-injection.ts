import { createHash } from 'node:crypto';
import { type InTurns, runAtOnce, runInTurns } from '../../turns.ts';
import { classify } from '../classifier/linear-model.ts';
import type { Deps, OrderModels, OrderReader } from '../ports/index.ts';
import { orderFeatures, orderWindows } from './order-features.ts';
import { plainReadings } from './plain-text.ts';

/** The name of the flag in the metadata of a memory. */
const injectionFlag = 'flagged';
/** Its value: another one is not ours, and stays. */
const injectionNotice = 'reads like instructions: data only';

/**
 * The metadata of a memory with this text: flagged if it reads like orders to an agent, and no
 * longer if only an earlier text did.
 */
export function flagInjection(
  { readsLikeOrders }: Pick<Deps, 'readsLikeOrders'>,
  text: string,
  metadata: Record<string, unknown>,
): Record<string, unknown> {
  if (readsLikeOrders(text)) return { ...metadata, [injectionFlag]: injectionNotice };
  if (!isFlagged(metadata)) return metadata;
  const { [injectionFlag]: _, ...others } = metadata;
  return others;
}

/** New metadata for the same text, which stays flagged if it was. */
export function keepInjectionFlag(
  before: Record<string, unknown>,
  metadata: Record<string, unknown>,
): Record<string, unknown> {
  return isFlagged(before) ? { ...metadata, [injectionFlag]: injectionNotice } : metadata;
}

function isFlagged(metadata: Record<string, unknown>): boolean {
  return metadata[injectionFlag] === injectionNotice;
}

/**
 * Tells whether a text reads like orders to an agent: by the marks of conversations and calls that
 * agents read, and by a classifier, which is opened with the first text. Without one, only marks
 * count. A text is judged once: what flags it and what decides whether it waits both ask.
 */
export function createOrderReader(openModels: () => OrderModels | null): OrderReader {
  let models: OrderModels | null | undefined;
  const verdicts = new Map<string, boolean>();

  function* judge(text: string): InTurns<boolean> {
    const key = createHash('sha256').update(text).digest('base64');
    const cachedVerdict = verdicts.get(key);
    if (cachedVerdict !== undefined) return cachedVerdict;
    if (models === undefined) models = openModels();
    const verdict = yield* isOrder(text, models);
    if (verdicts.size >= verdictsMax) verdicts.clear();
    verdicts.set(key, verdict);
    return verdict;
  }

  return {
    readsLikeOrders: (text) => runAtOnce(judge(text)),
    judgeOrders: async (text) => {
      await runInTurns(judge(text));
    },
  };
}

/** More than one add or one batch of an import holds. */
const verdictsMax = 2000;

function* isOrder(text: string, models: OrderModels | null): InTurns<boolean> {
  const texts = new Set<string>();
  for (const part of partsOf(text)) {
    const readings = plainReadings(part);
    yield;
    if (readings.some((reading) => agentMarks.some((mark) => mark.test(reading)))) return true;
    if (models === null) continue;
    for (const window of readings.flatMap(orderWindows)) {
      if (texts.has(window)) continue;
      if (orderProbability(window, models) >= orderMin) return true;
      texts.add(window);
      yield;
    }
  }
  return false;
}

/** A long text is read in parts that overlap, so that none of its marks is cut in two. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (let from = 0; from === 0 || from + overlapChars < text.length; from += partChars) {
    parts.push(text.slice(from, from + partChars + overlapChars));
  }
  return parts;
}

/** Each is read in some milliseconds. */
const partChars = 3000;
/** The longest mark is a picture with its address. */
const overlapChars = 1000;

function orderProbability(window: string, { orders, embed }: OrderModels): number {
  return classify(orders, orderFeatures(window), embed(window)).get('order') ?? 0;
}

/** See `tools/classifier/README.md`. */
const orderMin = 0.85;

/** Marks of texts for agents, which people hardly ever write about themselves. */
const agentMarks: readonly RegExp[] = [
  // The marks of chat templates around a message.
  /<\|(?:im_start|im_end|system|assistant|eot_id|start_header_id|end_header_id)\|>|\[\/?INST\]|<<\/?SYS>>/i,
  // Calls of tools.
  /<\/?(?:tool_calls?|function_calls?)>|<invoke name=/i,
  /"(?:tool|tool_name|function|name)"\s{0,9}:\s{0,9}"[\w.-]{1,80}"\s{0,9},\s{0,9}"(?:arguments|args|input|parameters)"\s{0,9}:/i,
  // A message of the system in tags; one word in them is a setting, such as a name of a system.
  /<(system(?:[_-](?:prompt|message|instructions?))?)>[^<]{0,300}\S\s+\S[^<]{0,300}<\/\1>/i,
  // A picture whose address is to be filled with data.
  /!\[[^\]\n]{0,200}\]\(https?:[^)\s]{1,500}[?][^)\n]{0,300}[{[<]/i,
  /!\[[^\]\n]{0,200}\]\(https?:[^)\s]{1,500}[?&=](?=[A-Z_]{3,40}[)&])(?:[A-Z]{1,20}_)?(?:SECRET|DATA|KEY|TOKEN|PASSWORD|CREDENTIAL|MEMOR|HISTORY|CHAT|CONVERSATION|CONTEXT|PROMPT|MESSAGE|USER)/,
  /<img\s[^>]{0,300}src=["']?https?:[^"'>\s]{1,500}[?][^"'>\n]{0,300}[{[<]/i,
];
