/** Forms of English words that no rule of endings joins, each line a word and its forms. */
const table = `
  bear bore borne
  become became
  begin began begun
  bend bent
  bind bound
  bite bit bitten
  blow blew blown
  break broke broken
  bring brought
  build built
  buy bought
  calf calves
  catch caught
  child children
  choose chose chosen
  come came
  deal dealt
  dig dug
  draw drew drawn
  drink drank drunk
  drive drove driven
  eat ate eaten
  fall fell fallen
  feed fed
  feel felt
  fight fought
  find found
  fly flew flown
  foot feet
  forget forgot forgotten
  forgive forgave forgiven
  freeze froze frozen
  get got gotten
  give gave given
  go went gone
  grind ground
  grow grew grown
  half halves
  hang hung
  hear heard
  hide hid hidden
  hold held
  keep kept
  knife knives
  know knew known
  lay laid
  lead led
  leaf leaves
  leave left
  lend lent
  lie lay lain
  life lives
  light lit
  loaf loaves
  lose lost
  make made
  man men
  mean meant
  meet met
  mouse mice
  pay paid
  person people
  ride rode ridden
  ring rang rung
  rise rose risen
  run ran
  say said
  see saw seen
  seek sought
  sell sold
  send sent
  shake shook shaken
  shelf shelves
  shoot shot
  show shown
  sing sang sung
  sink sank sunk
  sit sat
  sleep slept
  speak spoke spoken
  spend spent
  stand stood
  steal stole stolen
  stick stuck
  strike struck
  sweep swept
  swim swam swum
  swing swung
  take took taken
  teach taught
  tear tore torn
  tell told
  thief thieves
  think thought
  throw threw thrown
  tooth teeth
  understand understood
  wake woke woken
  wear wore worn
  wife wives
  wind wound
  win won
  wolf wolves
  woman women
  write wrote written`;

const words = table
  .trim()
  .split('\n')
  .map((line) => line.trim().split(' '));

/** From an irregular form to its word, both in lower case. */
export const irregularForms: ReadonlyMap<string, string> = new Map(
  words.flatMap(([word = '', ...forms]) => forms.map((form) => [form, word])),
);

/**
 * Irregular forms that are also words of their own, or regular forms of other words: "she lives",
 * "a saw", "founded". A text that holds one is found by both.
 */
export const homographs: ReadonlySet<string> = new Set(
  (
    'bit bore bound broke calves drew drunk fed fell felt found ground halves lay leaves led left ' +
    'lent lives rose rung sat saw shelves shot spoke stole thieves thought won wound'
  ).split(' '),
);
