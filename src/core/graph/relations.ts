import { limits } from '../../contract/limits.ts';
import type { Relation } from '../../contract/schemas/relation.ts';
import { closeOne, petNames, phrases, properName } from './phrases.ts';

/** An edge, before anything says which memory holds it. */
export type Edge = Omit<Relation, 'memory_id'>;

/** Somebody or something that edges join. */
type Entity = { name: string; type: string };

/**
 * The relations that a text states, by rules that know English: who is whose, who lives, works,
 * likes what. `subject` is who says "I" and whom "User" means. What no rule is sure of is left out:
 * a sentence that denies, asks or supposes states none.
 */
export function relationsIn(text: string, subject: string): Edge[] {
  const self = { name: subject, type: 'person' };
  const edges = clausesOf(text).flatMap((clause) => edgesIn(clause, self));
  const unique = new Map(edges.map((edge) => [JSON.stringify(edge), edge]));
  return [...unique.values()].slice(0, limits.relations_max);
}

/** Rules look at the beginning of a long text only: a fact is a sentence. */
const textMaxChars = 4000;

function clausesOf(text: string): string[] {
  return text
    .slice(0, textMaxChars)
    .split(/(?<=[.!?;])\s+|\n+|,? (?:and|but) (?=(?:I|my|he|she|we|they)\b)/u)
    .filter((clause) => !/\?\s*$/.test(clause) && !supposes.test(clause))
    .map((clause) => clause.replace(/[.!;\s]+$/, '').trim());
}

const supposes = /\b(?:if|unless|whether|would|might|maybe|perhaps|wish|used to|no longer)\b/i;

function edgesIn(clause: string, self: Entity): Edge[] {
  const named = edgesOfNames(clause, self);
  const { subject, rest, edges } = subjectOf(clause, self);
  if (subject === null) return named;
  return [...named, ...edges, ...edgesOfVerb(subject, rest)];
}

/** Words between the subject and its verb that change nothing. */
const adverbs = /^(?:(?:really|also|now|still|currently|always|usually|often|just|absolutely) )+/i;

const possessive = "(?:[Mm]y|[Oo]ur|[Uu]ser['’]s)";
const withName = new RegExp(`^${possessive} ${closeOne},? (?<name>${properName}),? `, 'u');
const owned = new RegExp(
  `^(?<owner>${properName})['’]s ${closeOne},? (?<name>${properName}),? `,
  'u',
);
const first = /^(?:I|User|we)(?: |(?=['’]))/i;
const proper = new RegExp(`^(?<name>${properName}) `, 'u');

type Subject = { subject: Entity | null; rest: string; edges: Edge[] };

/** Who a clause is about, what it says of him, and what his name alone tells. */
function subjectOf(clause: string, self: Entity): Subject {
  const spelled = clause.replace(/^I['’]m\b/, 'I am').replace(/^I['’]ve\b/, 'I have');
  const close = matchNamed(withName, spelled) ?? matchNamed(owned, spelled);
  if (close !== null) {
    const { owner, relationship, name, rest } = close;
    const from = owner === undefined ? self : { name: owner, type: 'person' };
    const subject = { name, type: typeOf(relationship) };
    return { subject, rest, edges: [edge(from, relationship, subject)] };
  }
  const said = first.exec(spelled);
  if (said !== null) return { subject: self, rest: spelled.slice(said[0].length), edges: [] };
  const name = proper.exec(spelled)?.groups?.name;
  if (name === undefined || notNames.test(name)) return { subject: null, rest: '', edges: [] };
  const subject = { name, type: 'person' };
  return { subject, rest: spelled.slice(name.length + 1), edges: [] };
}

/** Words that a sentence may begin with, and that are no names. */
const notNames = new RegExp(
  `^(?:${[
    'The|A|An|This|That|These|Those|It|He|She|We|They|You|My|Our|His|Her|Their|There|Here',
    'What|When|Where|Who|Why|How|Yes|No|Not|Please|Then|Also|And|But|So|Remember',
    'Today|Yesterday|Tomorrow|In|On|At|For|With',
  ].join('|')})\\b`,
);

function matchNamed(pattern: RegExp, clause: string) {
  const match = pattern.exec(clause);
  const { close, name, owner } = match?.groups ?? {};
  if (match === null || close === undefined || name === undefined) return null;
  return { owner, name, relationship: close.toLowerCase(), rest: clause.slice(match[0].length) };
}

const called = new RegExp(
  `\\b(?:ha(?:ve|s)|adopted|got) (?:an?|one) ${closeOne} (?:called|named) (?<name>${properName})`,
  'u',
);
const ofCalled = new RegExp(
  `^${possessive} ${closeOne}(?:['’]s name)? is (?:called |named )?(?<name>${properName})$`,
  'u',
);
const isClose = new RegExp(`^(?<name>${properName}) is ${possessive} ${closeOne}$`, 'u');
const ownName = new RegExp(`^${possessive} name is (?<name>${properName})`, 'u');
const favorite = /^(?:my|user['’]s) favou?rite (?<what>[\p{L} ]{2,30}?) (?:is|are) (?<name>.+)$/iu;

/** What names say: "I have a dog called Rex", "My brother is Tom", "My name is Ann". */
function edgesOfNames(clause: string, self: Entity): Edge[] {
  for (const pattern of [called, ofCalled, isClose]) {
    const { close, name } = pattern.exec(clause)?.groups ?? {};
    if (close === undefined || name === undefined) continue;
    const relationship = close.toLowerCase();
    return [edge(self, relationship, { name, type: typeOf(relationship) })];
  }
  const { name: own } = ownName.exec(clause)?.groups ?? {};
  if (own !== undefined) return [edge(self, 'name', { name: own, type: 'name' })];
  const { what, name } = favorite.exec(clause)?.groups ?? {};
  if (what === undefined || name === undefined) return [];
  const relationship = `favorite_${what.trim().toLowerCase().replaceAll(' ', '_')}`;
  return objectsIn(name).map((object) => edge(self, relationship, { name: object, type: 'thing' }));
}

function edgesOfVerb(subject: Entity, rest: string): Edge[] {
  const said = rest.replace(adverbs, '');
  for (const { verb, relationship, target_type: type } of phrases) {
    const match = verb.exec(said);
    if (match === null) continue;
    const objects = objectsIn(said.slice(match[0].length));
    return objects.map((name) => edge(subject, relationship, { name, type }));
  }
  return [];
}

/** Where what a verb is about ends. */
const end = new RegExp(
  `[,;:()]| (?:${[
    'in|on|at|for|with|from|to|by|during|because|but|since|when|while|although|though|so',
    'which|who|where|that|after|before|as|than|instead|near|around|about|until',
    'every|each|last|next|now|very|too|together|more|most|a lot',
  ].join('|')})\\b.*$`,
  'i',
);

const determiner =
  /^(?:(?:an?|the|my|our|his|her|their|some|any|both|all|really|going to|to|only) )+/i;

/** "tea and coffee" are two; what is longer than a name of something is none. */
function objectsIn(words: string): string[] {
  const [upTo = ''] = words.split(end);
  return upTo
    .split(/ (?:and|or) |\s*&\s*/)
    .map((object) =>
      object
        .trim()
        .replace(determiner, '')
        .replace(/["“”.!]+/g, '')
        .trim(),
    )
    .filter((object) => /[\p{L}\p{N}]/u.test(object) && !pronoun.test(object))
    .filter((object) => object.split(' ').length <= objectMaxWords);
}

const pronoun = /^(?:it|him|her|them|this|that|these|those|you|me|us|one|there|here|not)\b/i;

const objectMaxWords = 5;

function typeOf(relationship: string): string {
  return petNames.has(relationship) ? 'animal' : 'person';
}

function edge(source: Entity, relationship: string, target: Entity): Edge {
  const [source_type, target_type] = [source.type, target.type];
  return { source: source.name, source_type, relationship, target: target.name, target_type };
}
