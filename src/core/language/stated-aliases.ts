/**
 * An index term of memories that state names. No text has it as a word, so a search for it reads
 * these memories only.
 */
export const aliasMark = '\u{E000}';

/**
 * The names that a text says are one, two each: "k8s is short for Kubernetes", "my mum Helen",
 * "everyone calls me Bo" (who is "User" in memories). By rules, in English, German, French and
 * Spanish; a name has up to four words. Questions and conditions state nothing.
 */
export function statedAliases(text: string): [string, string][] {
  const sentences = text.slice(0, readCharsMax).split(/(?<=[.!?。？！;])\s+|\n/u);
  const stating = sentences.filter((sentence) => {
    return mayState(sentence) && !statesNothing.test(sentence);
  });
  const pairs = stating.flatMap((sentence) =>
    patterns().flatMap((pattern) => [...sentence.matchAll(pattern)].map(namesOf)),
  );
  return pairs.filter(([one, other]) => isName(one) && isName(other) && one !== other);
}

const readCharsMax = 2000;

/** All patterns have letters as in "Bo aka B", and each looks at every sentence of a text. */
function mayState(sentence: string): boolean {
  return sentence.length >= 'Bo aka B'.length && /[a-z]/.test(sentence);
}

const statesNothing = /[?？]\s*$|^(?:if|when|falls|wenn|si|quand|cuando)(?!\p{L})/iu;

function namesOf({ groups }: RegExpMatchArray): [string, string] {
  const { one = 'User', other = '' } = groups ?? {};
  return [trimName(one), trimName(other)];
}

function trimName(name: string): string {
  return name
    .replace(/["“”«»„]/gu, '')
    .replace(/['’]s?$/u, '')
    .trim();
}

function isName(name: string): boolean {
  return name !== '' && !noNames.test(name);
}

/** Pronouns, days and months, which stand where names do. */
const noNames = new RegExp(
  '^(?:it|this|that|which|he|she|they|we|you|i|who|what|es|das|er|sie|il|elle|ça|eso|él|ella|' +
    '(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|' +
    'august|september|october|november|december|christmas|easter|(?:mon|diens|donners|frei|' +
    'sams|sonn)tags?|mittwochs?|ich|je|yo)(?!\\p{L})',
  'iu',
);

const word = "[\\p{L}\\p{N}][\\p{L}\\p{N}+#'’-]{0,30}";
const proper = "\\p{Lu}[\\p{L}\\p{N}'’-]{1,30}";
const properRun = `${proper}(?:\\s${proper}){0,3}`;
const start = '(?<![\\p{L}\\p{N}])';
const end = '(?![\\p{L}\\p{N}])';
/** Capitalised, or all up to the end of the clause. */
const anyName = `(?:${properRun}${end}|${word}(?:\\s${word}){0,3}(?=\\s*(?:[.,;:!)]|$)))`;
/** With a digit or two capitals: "k8s", "WFH". */
const acronym =
  '(?=[\\p{L}\\p{N}]{0,11}(?:\\p{N}|\\p{Lu}[\\p{L}\\p{N}]{0,11}\\p{Lu}))[\\p{L}\\p{N}]{2,12}';

const kin = {
  english:
    'mum|mom|mommy|mother|dad|father|husband|wife|partner|fiancée?|boyfriend|girlfriend|boss|' +
    'manager|landlord|landlady|grandma|grandpa|grandmother|grandfather|sister|brother|son|' +
    'daughter|aunt|uncle|cousin|neighbou?r|dog|cat|horse|boat|car',
  german:
    'Mutter|Mama|Mutti|Vater|Papa|Mann|Frau|Freund|Freundin|Partner|Partnerin|Chef|Chefin|Oma|' +
    'Opa|Schwester|Bruder|Sohn|Tochter|Tante|Onkel|Hund|Hündin|Katze|Kater|Pferd',
  french:
    'mère|maman|père|papa|mari|femme|copain|copine|compagne|compagnon|chef|cheffe|patron|' +
    'patronne|sœur|soeur|frère|fils|fille|tante|oncle|chien|chienne|chat|chatte',
  spanish:
    'madre|mamá|padre|papá|marido|esposo|esposa|mujer|novio|novia|jefe|jefa|hermana|hermano|' +
    'hijo|hija|tía|tío|abuela|abuelo|perro|perra|gato|gata',
};

const nobodyElse = "(?<!(?:n['’]t|not|never|nobody|to) )";

let compiled: readonly RegExp[] | null = null;

/** Compiled with the first text that may state a name: each of them knows all letters. */
function patterns(): readonly RegExp[] {
  compiled ??= sources.map((source) => new RegExp(source, 'gu'));
  return compiled;
}

/** Each names `one`, who is the user where it does not, and `other`. */
const sources = [
  `${start}(?<one>${word}) (?:is|was) (?:short|shorthand|an? (?:abbreviation|acronym|nickname|` +
    `alias|synonym|pet name)) (?:for|of) (?:the )?(?<other>${anyName})`,
  `${start}(?<one>${acronym}) stands for (?:the )?(?<other>${anyName})`,
  `${start}(?<one>${properRun}|${acronym}),? (?:aka|a\\.k\\.a\\.|(?:is )?(?:also|better|` +
    `otherwise) (?:known|referred to) as|is also called) (?<other>${anyName})`,
  `${start}(?:[Ee]veryone|[Ee]verybody|[Pp]eople|(?:[Mm]y|[Aa]ll|[Uu]ser['’]s) \\p{L}{3,20}|` +
    '[Tt]hey|[Ff]riends) ' +
    `${nobodyElse}calls? (?:me|(?:the )?[Uu]ser) (?<other>${proper})${end}`,
  `(?:^|, |[Pp]lease |[Jj]ust )[Cc]all me (?<other>${proper})${end}`,
  `${start}(?:[Ww]e|I|[Tt]hey|[Ee]veryone|[Ee]verybody|[Tt]he team|[Uu]ser) ${nobodyElse}` +
    '(?:calls?|called|named|nicknamed) (?:our|my|the|their) ' +
    `(?<one>\\p{Ll}[\\p{L}\\p{N}-]{0,30}(?: \\p{Ll}[\\p{L}\\p{N}-]{0,30}){0,2}) ` +
    `(?<other>${properRun})${end}`,
  `${start}(?:[Mm]y|[Uu]ser['’]s) (?<one>${kin.english})` +
    `(?:,? |['’]s name is | is (?:called|named) )(?<other>${proper})${end}`,
  `${start}(?<one>${word}) (?:ist kurz|ist (?:die|eine) (?:Abkürzung|Kurzform)|ist der Spitzname|` +
    `steht) (?:für|von) (?:den |die |das )?(?<other>${anyName})`,
  `${start}(?:[Aa]lle|[Mm]an|[Dd]ie Leute|[Mm]eine \\p{L}+) (?:nennen|nennt) mich ` +
    `(?<other>${proper})${end}`,
  `${start}(?:[Ww]ir|[Aa]lle|[Ii]ch) (?:nennen|nenne|tauften) (?:den|die|das|unser(?:e|en)?) ` +
    `(?<one>\\p{Lu}[\\p{L}\\p{N}-]{1,30}) (?<other>${proper})${end}`,
  `${start}[Mm]eine? (?<one>${kin.german})(?:,? | heißt )(?<other>${proper})${end}`,
  `${start}(?<one>${word}) est (?:l['’]abréviation|le diminutif|le surnom|le petit nom) ` +
    `(?:de |d['’])(?<other>${anyName})`,
  `${start}[Tt]out le monde m['’]appelle (?<other>${proper})${end}`,
  `${start}(?:[Oo]n appelle|[Nn]ous appelons) (?:le |la |l['’]|notre )(?<one>\\p{Ll}` +
    `[\\p{L}\\p{N}-]{1,30}(?: \\p{Ll}[\\p{L}\\p{N}-]{1,30}){0,2}) (?<other>${proper})${end}`,
  `${start}[Mm](?:a|on) (?<one>${kin.french})(?:,? | s['’]appelle )(?<other>${proper})${end}`,
  `${start}(?<one>${word}) es (?:la abreviatura|el diminutivo|el apodo|la abreviación) de ` +
    `(?<other>${anyName})`,
  `${start}[Tt]od[oa]s me llaman (?<other>${proper})${end}`,
  `${start}[Mm]i (?<one>${kin.spanish})(?:,? | se llama )(?<other>${proper})${end}`,
];
