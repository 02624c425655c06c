/** People around somebody, as relationships: `My sister Anna` is the speaker's sister. */
const kinWords = [
  'mother|mom|mum|father|dad|sister|brother|twin|wife|husband|partner|girlfriend|boyfriend',
  'fianc[eé]e?|son|daughter|aunt|uncle|cousin|nephew|niece|grandmother|grandma|grandfather|grandpa',
  'mother-in-law|father-in-law|sister-in-law|brother-in-law|friend|boss|manager|colleague',
  'coworker|roommate|flatmate|neighbou?r|teacher|doctor|therapist|dentist|coach|mentor',
].join('|');

const petWords = 'dog|puppy|cat|kitten|parrot|rabbit|hamster|horse|fish|turtle|tortoise|bird|snake';

/** A word or some that begin with a capital letter. */
export const properNameSource = "\\p{Lu}[\\p{L}\\p{M}'’-]*(?: \\p{Lu}[\\p{L}\\p{M}'’-]*){0,3}";

/** `sister`, `older sister`, `dog`. */
export const relationshipSource = `(?:\\p{Ll}+ ){0,2}?(?<close>${kinWords}|${petWords})`;

export const petNames = new Set(petWords.split('|'));

/** A verb with what it says of its subject and its object. */
export type RelationPhrase = { verb: RegExp; relationship: string; target_type: string };

/** Each is looked for right behind the subject; the first that fits counts. */
export const relationPhrases: readonly RelationPhrase[] = [
  toRelationPhrase('(?:live|reside)s? in|(?:am|is|are) living in', 'lives_in', 'place'),
  toRelationPhrase('(?:have |has )?moved (?:from .+? )?to', 'moved_to', 'place'),
  toRelationPhrase('(?:am|is|are) (?:originally )?from|comes? from|grew up in', 'from', 'place'),
  toRelationPhrase('(?:was|were) born in', 'born_in', 'place'),
  toRelationPhrase('works? (?:at|for)|(?:am|is) employed (?:at|by)', 'works_at', 'organization'),
  toRelationPhrase('works? as', 'works_as', 'occupation'),
  toRelationPhrase('(?:stud(?:y|ies)|(?:am|is) studying) at', 'studies_at', 'organization'),
  toRelationPhrase('graduated from|went to school at', 'graduated_from', 'organization'),
  toRelationPhrase('stud(?:y|ies)|(?:am|is) studying', 'studies', 'subject'),
  toRelationPhrase('(?:am|is|are) allergic to', 'allergic_to', 'substance'),
  toRelationPhrase('(?:am|is|are) (?:happily )?married to', 'married_to', 'person'),
  toRelationPhrase('(?:am|is|are) engaged to', 'engaged_to', 'person'),
  toRelationPhrase('(?:am|is|are) dating', 'dating', 'person'),
  toRelationPhrase('(?:like|enjoy)s?', 'likes', 'thing'),
  toRelationPhrase('(?:love|adore)s?', 'loves', 'thing'),
  toRelationPhrase('prefers?', 'prefers', 'thing'),
  toRelationPhrase("(?:hate|dislike)s?|(?:can(?:not|['’]t)) stand", 'dislikes', 'thing'),
  toRelationPhrase('speaks?', 'speaks', 'language'),
  toRelationPhrase('(?:play|practi[cs]e)s?', 'plays', 'activity'),
  toRelationPhrase('(?:own|drive)s?|bought', 'owns', 'thing'),
  toRelationPhrase('uses?', 'uses', 'thing'),
  toRelationPhrase('(?:have |has )?visited|(?:have |has )?travell?ed to', 'visited', 'place'),
  toRelationPhrase('plans? to (?:visit|go to|travel to)', 'plans_to_visit', 'place'),
  toRelationPhrase('(?:know|met)s?', 'knows', 'person'),
  toRelationPhrase('(?:am|is|are) (?=an? )', 'is_a', 'role'),
];

function toRelationPhrase(verb: string, relationship: string, target_type: string): RelationPhrase {
  return { verb: new RegExp(`^(?:${verb})(?:\\s+|(?<=\\s))`, 'iu'), relationship, target_type };
}
