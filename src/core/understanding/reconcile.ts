import type { Decision, Instant, KnownMemory, Occurrence } from '../ports.ts';
import type { Statement } from './extract.ts';
import { coverage, type Gist, gistOf, repeats } from './near.ts';
import { endingIn, postponedIn, replacedIn } from './over.ts';

/** A statement with the time of what it tells. */
export type Dated = Statement & { occurred: Occurrence | null };

type Known = KnownMemory & { gist: Gist };
type Verdict = Pick<Decision, 'event' | 'target' | 'reason' | 'slot'>;

/**
 * What statements mean for what is stored: something new, a repetition, or a change of something
 * known, which is updated in place. Only memories of the same speaker are compared.
 */
export function reconcile(
  statements: readonly Dated[],
  { known, said_at }: { known: readonly KnownMemory[]; said_at: Instant },
): Decision[] {
  const open = known
    .filter(({ immutable, created_at }) => !immutable && created_at <= said_at)
    .map((memory) => ({ ...memory, gist: gistOf(memory.memory, speakerOf(memory)) }));
  const said: { statement: Dated; gist: Gist }[] = [];
  return statements.map((statement) => {
    const gist = gistOf(statement.text, statement.speaker);
    const own = open.filter((memory) => speakerOf(memory) === statement.speaker);
    const again = said.some((before) => isSaidAgain({ statement, gist }, before));
    said.push({ statement, gist });
    const verdict = again ? saidBefore : judge({ statement, gist }, own);
    const { text, message, type, occurred, around } = statement;
    const words = around ?? statement.said;
    return { ...verdict, text, message, type, occurred, said: words === text ? null : words };
  });
}

const saidBefore: Verdict = {
  event: 'NOOP',
  target: null,
  slot: null,
  reason: 'said before in these messages',
};

function speakerOf({ role, speaker }: Pick<KnownMemory, 'role' | 'speaker'>): string {
  return speaker === null || speaker === role ? 'User' : speaker;
}

type Read = { statement: Dated; gist: Gist };

function isSaidAgain({ statement, gist }: Read, before: Read): boolean {
  if (statement.text === before.statement.text || happens(statement)) return false;
  if (statement.speaker !== before.statement.speaker) return false;
  const like = repeats(gist, before.gist);
  return like === 'same' || like === 'less';
}

/** What happens may happen again. */
function happens({ type }: Pick<Statement, 'type'>): boolean {
  return type === 'event' || type === 'plan';
}

function judge(read: Read, known: readonly Known[]): Verdict {
  const { statement } = read;
  const slot = statement.slot?.name ?? null;
  if (statement.isAsked) return added(null);
  if (statement.slot !== null) return fill(read, known);
  return (
    replace(read, known) ??
    postpone(read, known) ??
    end(read, known) ??
    merge(read, known) ??
    added(slot)
  );
}

function added(slot: string | null): Verdict {
  return { event: 'ADD', target: null, reason: null, slot };
}

/** The memory that fills the slot is changed; what is over must be what it tells. */
function fill(read: Read, known: readonly Known[]): Verdict {
  const { slot, text } = read.statement;
  const current = known.findLast((memory) => memory.slot === slot?.name);
  const name = slot?.name ?? null;
  if (current === undefined) return replace(read, known, name) ?? added(name);
  if (current.memory === text) return added(name);
  if (slot?.ended && coverage(gistOfHead(current), read.gist) < endedShare) return added(null);
  return update(current, name);
}

const endedShare = 0.6;

/** "I'm vegan, so keep that in mind": what is over is what comes first. */
function gistOfHead(memory: Known): Gist {
  const [head = ''] = memory.memory.split(/[,;.]\s/, 1);
  return head.length < memory.memory.length - 1 ? gistOf(head, speakerOf(memory)) : memory.gist;
}

function update({ id, memory }: Known, slot: string | null): Verdict {
  const shown = memory.slice(0, reasonMaxChars).toWellFormed();
  return { event: 'UPDATE', target: id, slot, reason: `supersedes "${shown}"` };
}

const reasonMaxChars = 200;

/** "Switched from X to Y" supersedes what tells of X. */
function replace({ statement }: Read, known: readonly Known[], slot: string | null = null) {
  const old = replacedIn(statement.said ?? statement.text);
  if (old === null) return null;
  const gist = gistOf(old, statement.speaker);
  const meant = known.findLast(
    (memory) => !happens(isTyped(memory)) && coverage(gist, memory.gist) === 1,
  );
  return meant === undefined ? null : update(meant, meant.slot ?? slot);
}

/** Of a plan that moves only the new time is to come; which of two it is can't be told. */
function postpone({ statement }: Read, known: readonly Known[]): Verdict | null {
  const old = statement.occurred === null ? null : postponedIn(statement.said ?? statement.text);
  if (old === null) return null;
  const gist = gistOf(old, statement.speaker);
  const [meant, ...others] = known.filter(
    ({ type, gist: of, memory }) =>
      type === 'plan' && coverage(gist, of) === 1 && !plansToDo.test(memory),
  );
  return meant === undefined || others.length > 0 ? null : update(meant, meant.slot);
}

/** "User plans to buy a couch" is no plan of the couch's own. */
const plansToDo = new RegExp(
  '(?<!\\p{L})(?:to (?!(?:the|an?|be|go|attend|have|join|hold|my|our|their|his|her|your|this|' +
    'that|next)(?!\\p{L}))\\p{Ll}{2,}|' +
    '(?:buy|sell|order|paint|repaint|learn|study|repair|fix|clean|build|read|writ|replac|' +
    'find|look|prepar)(?:e?s|ing|e)?|kaufen|lernen|streichen|verkaufen|vorbereiten|' +
    'acheter|vendre|apprendre|peindre|préparer|comprar|vender|aprender|estudiar|estudar|' +
    'pintar|preparar|comprare|vendere|imparare|studiare|dipingere|preparare|купить|куплю|' +
    'продать|учить|выучить|покрасить|подготовить)(?!\\p{L})|買|売|学び|勉強|买|卖|学习',
  'u',
);

/** "No longer" supersedes what tells that it was so. */
function end({ statement, gist }: Read, known: readonly Known[]): Verdict | null {
  if (!endingIn(statement.said ?? statement.text)) return null;
  const meant = known.findLast(
    (memory) =>
      !happens(isTyped(memory)) &&
      ((memory.gist.terms.size >= endedMinTerms && coverage(memory.gist, gist) >= endedCoverage) ||
        isLikedNoMore(statement, memory)),
  );
  return meant === undefined ? null : update(meant, meant.slot);
}

/**
 * "I love sushi" is over with "I don't like sushi anymore", not with "no coffee after three any
 * more": besides what was liked, hardly anything is said.
 */
function isLikedNoMore({ text, speaker }: Statement, { type, memory }: Known): boolean {
  if (type !== 'preference') return false;
  const [head = ''] = text.split(/[,;.]\s/, 1);
  if (!likes.test(head)) return false;
  const liked = gistOf(memory.replace(liking, ' '), speaker);
  const said = gistOf(head.replace(liking, ' ').replace(likes, ' '), speaker);
  const besides = [...said.terms].filter((term) => term !== 'not' && !liked.terms.has(term));
  return coverage(liked, said) === 1 && besides.length === 0;
}

const likingWords =
  '(?:lov|lik|enjoy|ador)(?:e?s|e|ed|ing)?|prefers?|encantan?|gustan?|adore|aime|' +
  'mag|liebe|gerne?|piac(?:e|ciono)|amo|adoro|gosto|любл[юи]т?|обожаю|нрав[ия]тся';
const likingWithin = '[がは]?(?:大好き|好き)(?:です|じゃ|では)?|喜欢';

/** What says that one likes, articles, and what says that it is over: none is what is liked. */
const liking = new RegExp(
  `(?<!\\p{L})(?:${likingWords}|el|los?|las?|les?|il|gli|der|die|das|the|os?|as?|` +
    'any ?more|no longer|really|honestly|actually|nicht mehr|ya no|plus|più|mais|больше не|' +
    `ich|je|n['’]|ne|pas|eu|io|me|mi|я|мне)(?!\\p{L})|${likingWithin}|もう|不再`,
  'giu',
);

/** That one likes, eats or drinks a thing; "don't eat with my sister" says nothing of her. */
const likes = new RegExp(
  `(?<!\\p{L})(?:${likingWords}|(?:eat|drink|esse|trinke|mange|bois|como|tomo|bebo|mangio|bevo|` +
    'ем|пью)(?! (?:with|at|in|out|from|mit|bei|avec|chez|con|com|en|em|с|в)(?!\\p{L})))' +
    `(?!\\p{L})|${likingWithin}|食べ|飲|吃|喝`,
  'iu',
);

const endedMinTerms = 2;
const endedCoverage = 0.75;

function isTyped({ type }: Known): Pick<Statement, 'type'> {
  return { type: type ?? 'fact' };
}

/** What is known is not stored anew; with more words it takes the place of the shorter one. */
function merge({ statement, gist }: Read, known: readonly Known[]): Verdict | null {
  if (happens(statement)) return null;
  for (const memory of known.toReversed()) {
    if (memory.memory === statement.text) return null;
    const like = repeats(gist, memory.gist);
    if (like === null || happens(isTyped(memory))) continue;
    if (like === 'more') {
      return { event: 'UPDATE', target: memory.id, slot: memory.slot, reason: 'says more of it' };
    }
    return { event: 'NOOP', target: memory.id, slot: null, reason: `repeats ${memory.id}` };
  }
  return null;
}
