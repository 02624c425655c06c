/**
 * Lasting traits of a person that are hardly said of anything else. "Single" and "engaged" are not
 * among them, because a room and a line are that too, nor "gluten-free", because a dish is.
 */
const traits =
  'vegan|vegetarian|pescatarian|flexitarian|c(?:o)?eliac|diabetic|asthmatic|epileptic|dyslexic|' +
  'autistic|colou?r[- ]?blind|(?:gluten|lactose|fructose|histamine)[- ]intolerant|' +
  '(?:left|right)[- ]handed|(?:near|far|short|long)-?sighted|married|unmarried|divorced|widowed|' +
  'self-employed|unemployed|retired|pregnant';

/** What people leave out of all their meals, and not only of this one, such as sugar. */
const avoided =
  'dairy|gluten|lactose|wheat|soya?|meat|pork|beef|fish|seafood|shellfish|eggs|nuts|peanuts|alcohol';

const trait = new RegExp(`^(?:${traits})\\.?$`, 'iu');
const diet = new RegExp(`^no (?:${avoided})\\.?$`, 'iu');
/** The full stop tells it from a heading, such as "Likes count". */
const liking =
  /^(?:prefers|likes|loves|hates|dislikes|enjoys) (?!(?:it|that|this|them|him|her|you|me|us|all|both|everything)\.)[\p{L}-]+\.$/iu;

/** Few words that say what their speaker is, eats or likes: "Vegetarian.", "No dairy." */
export function isTerseFact(sentence: string): boolean {
  return [trait, diet, liking].some((pattern) => pattern.test(sentence));
}

/** "Vegan." as "Ann is vegan."; null for anything but such a trait or liking. */
export function terseFactAbout(sentence: string, name: string): string | null {
  const verb = trait.test(sentence) ? ' is' : liking.test(sentence) ? '' : null;
  if (verb === null) return null;
  return `${name}${verb} ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}
