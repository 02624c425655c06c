/**
 * A short answer to a question as a statement in the first person: "Which editor do you use?" and
 * "Helix" make "I use Helix". Null where no form is certain to keep the meaning.
 */
export function answerAsStatement(question: string, answer: string): string | null {
  const clause = lastClause(question);
  if (aboutTheTask.test(clause)) return null;
  const said = answer.trim().replace(/(?<![.!])[.!]+$/u, '');
  if (said === '' || said.split(/\s+/).length > answerMaxWords || ownSubject.test(said))
    return null;
  const polar = yesOrNo.exec(said);
  if (polar !== null) return polar[2] === undefined ? polarStatement(clause, polar[1] ?? '') : null;
  for (const [pattern, write] of forms) {
    const groups = pattern.exec(clause)?.groups;
    if (groups !== undefined) return write(groups, said);
  }
  return null;
}

/** "Nice! And which editor do you use" of "Nice! And which editor do you use?" */
function lastClause(question: string): string {
  return question
    .trim()
    .replace(/(?<![?"'”’)\s])[?"'”’)\s]+$/u, '')
    .replace(/^.*[.!?:;–—]\s+/su, '')
    .replace(/^.*, and (?=(?:wh|how |do |are ))/su, '')
    .replace(/^(?:(?:and|so|ok|okay|great|nice|thanks|by the way|just to check),?\s+)+/iu, '');
}

/** A question about what to do now, not about the user. */
const aboutTheTask = /\byou (?:\w+ )?(?:want|wish|need|mean|see|get|think|say|ask)/iu;

const answerMaxWords = 6;

/** An answer with a subject of its own is a statement already. */
const ownSubject = /^(?:i|i'm|i've|we|it|it's|he|she|they|that|that's|there|my|our)(?![\p{L}])/iu;

const yesOrNo = /^(yes|yeah|yep|yup|sure|no|nope|nah|none|never)(?:[,\s]+(.+))?$/iu;
const isYes = /^y|^sure/iu;

type Groups = Record<string, string>;

const forms: readonly [RegExp, (groups: Groups, answer: string) => string][] = [
  [
    /^where do you (?<verb>live|work|study)(?<rest> [\p{L} ]{1,30})?$/iu,
    ({ verb, rest }, answer) => `I ${verb} ${placed(answer)}${rest ?? ''}`,
  ],
  [
    /^how many (?<noun>[\p{L} -]{2,40}) do you (?<verb>have|own|keep|run|teach)$/iu,
    ({ noun, verb }, answer) =>
      `I ${verb} ${/^\p{N}+$|^\p{L}+$/u.test(answer) ? `${answer} ${noun}` : answer}`,
  ],
  [
    /^(?:which|what) (?<noun>[\p{L} -]{2,40}) do you (?:usually |mostly )?use$/iu,
    ({ noun }, answer) => `I use ${answer} as my ${noun}`,
  ],
  [
    /^(?:which|what)(?: (?<noun>[\p{L} -]{2,40}))? do you (?<verb>\p{L}{3,12})(?<rest> [\p{L} ]{1,40})?$/iu,
    ({ noun, verb, rest }, answer) =>
      `I ${verb} ${answer}${noun === undefined ? '' : ` (${noun})`}${rest ?? ''}`,
  ],
  [
    /^(?:what|who|when|where|which)(?:'s| is| are) your (?<noun>[\p{L}' -]{2,40})$/iu,
    ({ noun }, answer) => `My ${noun} ${/[^s]s$/u.test(noun ?? '') ? 'are' : 'is'} ${answer}`,
  ],
  [/^how old are you$/iu, (_, answer) => `I am ${answer} years old`],
  [
    /^how old is your (?<noun>[\p{L}' -]{2,40})$/iu,
    ({ noun }, answer) => `My ${noun} is ${answer}`,
  ],
  [
    /^what are you (?<what>allergic to|working on|studying|reading|learning|training for)$/iu,
    ({ what }, answer) => `I am ${what} ${answer}`,
  ],
];

function placed(answer: string): string {
  return /^(?:in|at|near|on|outside|from|by|just)\s/iu.test(answer) ? answer : `in ${answer}`;
}

function polarStatement(clause: string, answer: string): string | null {
  const yes = isYes.test(answer);
  const have = /^do you (?<verb>have|own|keep) (?:any |an? )?(?<what>[^,]{2,60})$/iu.exec(clause);
  if (have?.groups !== undefined) {
    const { verb, what } = have.groups;
    return yes
      ? `I ${verb} ${/ any /iu.test(clause) ? '' : articleOf(clause)}${what}`
      : `I ${verb} no ${what}`;
  }
  const does = /^do you (?<what>\p{L}{3,12} [^,]{2,60}|\p{L}{3,12})$/iu.exec(clause)?.groups?.what;
  if (does !== undefined) return yes ? `I ${does}` : `I don't ${does}`;
  const are = /^are you (?<what>[^,]{2,60})$/iu.exec(clause)?.groups?.what;
  if (are === undefined) return null;
  return yes ? `I am ${are}` : `I am not ${are}`;
}

function articleOf(clause: string): string {
  return /^do you \p{L}+ (an? )/iu.exec(clause)?.[1] ?? '';
}
