/**
 * "We have two kids, Mats who is 9 and Juno (6)" says who is how old: a statement for each, after
 * what it says of all. Null for any other sentence.
 */
export function splitRelatives(sentence: string): string[] | null {
  const { head, kind, list = '' } = listed.exec(sentence)?.groups ?? {};
  const kin = singular[kind?.toLowerCase() ?? ''];
  if (head === undefined || kin === undefined) return null;
  const people = list.split(/,? and |, (?=\p{Lu})/u).map((one) => person.exec(one)?.groups);
  if (people.length < 2) return null;
  const facts = people.flatMap((one) => (one ? [`My ${kin} ${one.name} is ${one.age}.`] : []));
  return facts.length === people.length ? [`${head}.`, ...facts] : null;
}

const listed =
  /^(?<head>(?:I|We)(?:['’]ve| have)(?: got)? (?:[\p{Ll}-]+ ){0,3}(?<kind>\p{Ll}+))(?:,|:) (?<list>\p{Lu}.{3,200}?)\.?$/u;

const person = /^(?<name>\p{Lu}\p{L}+)(?: who(?:['’]s| is)| is|,)? ?\(?(?<age>\d{1,3})\)?$/u;

const relatives =
  'kids children sons daughters twins brothers sisters siblings cousins nephews nieces ' +
  'grandchildren dogs cats';

const singular: Partial<Record<string, string>> = Object.fromEntries(
  relatives.split(' ').map((kind) => [kind, kind.replace(/ren$|s$/u, '')]),
);
