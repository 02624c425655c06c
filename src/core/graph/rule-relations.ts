import { limits } from '../../contract/limits.ts';
import type { Relation } from '../../contract/schemas/relation.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import {
  petNames,
  properNameSource,
  relationPhrases,
  relationshipSource,
} from './relation-phrases.ts';

/** An edge, before anything says which memory holds it. */
export type RelationEdge = StrictOmit<Relation, 'memory_id'>;

/** Somebody or something that edges join. */
type GraphNode = { name: string; type: string };

/**
 * The relations that a text states, by rules that know English: who is whose, who lives, works,
 * likes what. `subject` is who says "I" and whom "User" means. What no rule is sure of is left out:
 * a sentence that denies, asks or supposes states none.
 */
export function extractRuleRelations(text: string, subject: string): RelationEdge[] {
  const self = { name: subject, type: 'person' };
  const edges = splitClauses(text).flatMap((clause) => edgesOfClause(clause, self));
  const unique = new Map(edges.map((edge) => [JSON.stringify(edge), edge]));
  return [...unique.values()].slice(0, limits.relations_max);
}

/** Rules look at the beginning of a long text only: a fact is a sentence. */
const textMaxChars = 4000;

function splitClauses(text: string): string[] {
  return text
    .slice(0, textMaxChars)
    .split(/(?<=[.!?;])\s+|\n+|,? (?:and|but) (?=(?:I|my|he|she|we|they)\b)/u)
    .filter((clause) => !/\?\s*$/.test(clause) && !hypothetical.test(clause))
    .map((clause) => clause.replace(/(?<![.!;\s])[.!;\s]+$/, '').trim());
}

const hypothetical = /\b(?:if|unless|whether|would|might|maybe|perhaps|wish|used to|no longer)\b/i;

function edgesOfClause(clause: string, self: GraphNode): RelationEdge[] {
  const nameEdges = edgesOfNames(clause, self);
  const { subject, rest, edges } = parseSubject(clause, self);
  if (subject === null) return nameEdges;
  return [...nameEdges, ...edges, ...edgesOfVerb(subject, rest)];
}

/** Words between the subject and its verb that change nothing. */
const adverbs = /^(?:(?:really|also|now|still|currently|always|usually|often|just|absolutely) )+/i;

const possessive = "(?:[Mm]y|[Oo]ur|[Uu]ser['’]s)";
const possessedName = new RegExp(
  `^${possessive} ${relationshipSource},? (?<name>${properNameSource}),? `,
  'u',
);
const ownedName = new RegExp(
  `^(?<owner>${properNameSource})['’]s ${relationshipSource},? (?<name>${properNameSource}),? `,
  'u',
);
const firstPerson = /^(?:I|User|we)(?: |(?=['’]))/i;
const properSubject = new RegExp(`^(?<name>${properNameSource}) `, 'u');

type ClauseSubject = { subject: GraphNode | null; rest: string; edges: RelationEdge[] };

/** The subject of a clause, the rest of it, and the relations that the name itself states. */
function parseSubject(clause: string, self: GraphNode): ClauseSubject {
  const spelled = clause.replace(/^I['’]m\b/, 'I am').replace(/^I['’]ve\b/, 'I have');
  const close = matchRelative(possessedName, spelled) ?? matchRelative(ownedName, spelled);
  if (close !== null) {
    const { owner, relationship, name, rest } = close;
    const from = owner === undefined ? self : { name: owner, type: 'person' };
    const subject = { name, type: relativeType(relationship) };
    return { subject, rest, edges: [toEdge(from, relationship, subject)] };
  }
  const selfMatch = firstPerson.exec(spelled);
  if (selfMatch !== null)
    return { subject: self, rest: spelled.slice(selfMatch[0].length), edges: [] };
  const name = properSubject.exec(spelled)?.groups?.name;
  if (name === undefined || sentenceStarters.test(name))
    return { subject: null, rest: '', edges: [] };
  const subject = { name, type: 'person' };
  return { subject, rest: spelled.slice(name.length + 1), edges: [] };
}

/** Capitalized words at the start of a sentence that are not names. */
const sentenceStarters = new RegExp(
  `^(?:${[
    'The|A|An|This|That|These|Those|It|He|She|We|They|You|My|Our|His|Her|Their|There|Here',
    'What|When|Where|Who|Why|How|Yes|No|Not|Please|Then|Also|And|But|So|Remember',
    'Today|Yesterday|Tomorrow|In|On|At|For|With',
  ].join('|')})\\b`,
);

function matchRelative(pattern: RegExp, clause: string) {
  const match = pattern.exec(clause);
  const { close, name, owner } = match?.groups ?? {};
  if (match === null || close === undefined || name === undefined) return null;
  return { owner, name, relationship: close.toLowerCase(), rest: clause.slice(match[0].length) };
}

const namedRelative = new RegExp(
  `\\b(?:ha(?:ve|s)|adopted|got) (?:an?|one) ${relationshipSource} (?:called|named) (?<name>${properNameSource})`,
  'u',
);
const possessedNameIs = new RegExp(
  `^${possessive} ${relationshipSource}(?:['’]s name)? is (?:called |named )?(?<name>${properNameSource})$`,
  'u',
);
const nameIsRelative = new RegExp(
  `^(?<name>${properNameSource}) is ${possessive} ${relationshipSource}$`,
  'u',
);
const ownNameIs = new RegExp(`^${possessive} name is (?<name>${properNameSource})`, 'u');
const favoriteThing =
  /^(?:my|user['’]s) favou?rite (?<what>[\p{L} ]{2,30}?) (?:is|are) (?<name>.+)$/iu;

/** Relations that names state: "I have a dog called Rex", "My brother is Tom", "My name is Ann". */
function edgesOfNames(clause: string, self: GraphNode): RelationEdge[] {
  for (const pattern of [namedRelative, possessedNameIs, nameIsRelative]) {
    const { close, name } = pattern.exec(clause)?.groups ?? {};
    if (close === undefined || name === undefined) continue;
    const relationship = close.toLowerCase();
    return [toEdge(self, relationship, { name, type: relativeType(relationship) })];
  }
  const { name: own } = ownNameIs.exec(clause)?.groups ?? {};
  if (own !== undefined) return [toEdge(self, 'name', { name: own, type: 'name' })];
  const { what, name } = favoriteThing.exec(clause)?.groups ?? {};
  if (what === undefined || name === undefined) return [];
  const relationship = `favorite_${what.trim().toLowerCase().replaceAll(' ', '_')}`;
  return splitObjects(name).map((object) =>
    toEdge(self, relationship, { name: object, type: 'thing' }),
  );
}

function edgesOfVerb(subject: GraphNode, rest: string): RelationEdge[] {
  const phrase = rest.replace(adverbs, '');
  for (const { verb, relationship, target_type: type } of relationPhrases) {
    const match = verb.exec(phrase);
    if (match === null) continue;
    const objects = splitObjects(phrase.slice(match[0].length));
    return objects.map((name) => toEdge(subject, relationship, { name, type }));
  }
  return [];
}

/** The end of a verb's object. */
const objectEnd = new RegExp(
  `[,;:()]| (?:${[
    'in|on|at|for|with|from|to|by|during|because|but|since|when|while|although|though|so',
    'which|who|where|that|after|before|as|than|instead|near|around|about|until',
    'every|each|last|next|now|very|too|together|more|most|a lot',
  ].join('|')})\\b.*$`,
  'is',
);

const determiner =
  /^(?:(?:an?|the|my|our|his|her|their|some|any|both|all|really|going to|to|only) )+/i;

/** "tea and coffee" are two; what is longer than a name of something is none. */
function splitObjects(words: string): string[] {
  const [upTo = ''] = words.split(objectEnd);
  return upTo
    .split(/ (?:and|or) |&/)
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

function relativeType(relationship: string): string {
  return petNames.has(relationship) ? 'animal' : 'person';
}

function toEdge(source: GraphNode, relationship: string, target: GraphNode): RelationEdge {
  const [source_type, target_type] = [source.type, target.type];
  return { source: source.name, source_type, relationship, target: target.name, target_type };
}
