/** Relatives, friends, others whom one knows, and pets: the source of a pattern. */
export const englishFamily =
  '(?:wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|spouse|' +
  'mother|mom|mum|father|dad|' +
  'sister|brother|son|daughter|kid|child|baby|grandmother|grandma|' +
  'grandfather|grandpa|aunt|uncle|' +
  'cousin|niece|nephew|friend|neighbou?r|roommate|boss|colleague|coworker|' +
  'co-worker|mentor|' +
  'dog|cat|pet|puppy|kitten|parents|twins|sisters|brothers|kids|children)';
