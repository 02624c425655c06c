/** People around somebody, as relationships: `My sister Anna` is a sister of whoever speaks. */
const kin = [
  'mother|mom|mum|father|dad|sister|brother|twin|wife|husband|partner|girlfriend|boyfriend',
  'fianc[eé]e?|son|daughter|aunt|uncle|cousin|nephew|niece|grandmother|grandma|grandfather|grandpa',
  'mother-in-law|father-in-law|sister-in-law|brother-in-law|friend|boss|manager|colleague',
  'coworker|roommate|flatmate|neighbou?r|teacher|doctor|therapist|dentist|coach|mentor',
].join('|');

const pets = 'dog|puppy|cat|kitten|parrot|rabbit|hamster|horse|fish|turtle|tortoise|bird|snake';

/** A word or some that begin with a capital letter. */
export const properName = "\\p{Lu}[\\p{L}\\p{M}'’-]*(?: \\p{Lu}[\\p{L}\\p{M}'’-]*){0,3}";

/** `sister`, `older sister`, `dog`. */
export const closeOne = `(?:\\p{Ll}+ ){0,2}?(?<close>${kin}|${pets})`;

export const petNames = new Set(pets.split('|'));

/** A verb with what it says of its subject and its object. */
export type Phrase = { verb: RegExp; relationship: string; target_type: string };

/** Each is looked for right behind the subject; the first that fits counts. */
export const phrases: readonly Phrase[] = [
  phrase('(?:live|reside)s? in|(?:am|is|are) living in', 'lives_in', 'place'),
  phrase('(?:have |has )?moved (?:from .+? )?to', 'moved_to', 'place'),
  phrase('(?:am|is|are) (?:originally )?from|comes? from|grew up in', 'from', 'place'),
  phrase('(?:was|were) born in', 'born_in', 'place'),
  phrase('works? (?:at|for)|(?:am|is) employed (?:at|by)', 'works_at', 'organization'),
  phrase('works? as', 'works_as', 'occupation'),
  phrase('(?:stud(?:y|ies)|(?:am|is) studying) at', 'studies_at', 'organization'),
  phrase('graduated from|went to school at', 'graduated_from', 'organization'),
  phrase('stud(?:y|ies)|(?:am|is) studying', 'studies', 'subject'),
  phrase('(?:am|is|are) allergic to', 'allergic_to', 'substance'),
  phrase('(?:am|is|are) (?:happily )?married to', 'married_to', 'person'),
  phrase('(?:am|is|are) engaged to', 'engaged_to', 'person'),
  phrase('(?:am|is|are) dating', 'dating', 'person'),
  phrase('(?:like|enjoy)s?', 'likes', 'thing'),
  phrase('(?:love|adore)s?', 'loves', 'thing'),
  phrase('prefers?', 'prefers', 'thing'),
  phrase("(?:hate|dislike)s?|(?:can(?:not|['’]t)) stand", 'dislikes', 'thing'),
  phrase('speaks?', 'speaks', 'language'),
  phrase('(?:play|practi[cs]e)s?', 'plays', 'activity'),
  phrase('(?:own|drive)s?|bought', 'owns', 'thing'),
  phrase('uses?', 'uses', 'thing'),
  phrase('(?:have |has )?visited|(?:have |has )?travell?ed to', 'visited', 'place'),
  phrase('plans? to (?:visit|go to|travel to)', 'plans_to_visit', 'place'),
  phrase('(?:know|met)s?', 'knows', 'person'),
  phrase('(?:am|is|are) (?=an? )', 'is_a', 'role'),
];

function phrase(verb: string, relationship: string, target_type: string): Phrase {
  return { verb: new RegExp(`^(?:${verb})(?:\\s+|(?<=\\s))`, 'iu'), relationship, target_type };
}
